from contextlib import AbstractContextManager, contextmanager
from typing import Any, Collection, Dict, Iterator, List, Optional, Sequence, Tuple

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import InputVariationalDropout, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.allennlp_private import token_embedders
from nerzoo.models.heads.tag_head import TagHead
from nerzoo.modules.auxiliary_losses import AuxiliaryLosses
from nerzoo.modules.dropout import FastDropout, InputDropout
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.seq2seq_encoders.encoder import encoder_context
from nerzoo.text.annotation import SYNTAX

_GATES = ("gate", "gate_features")
"""The extra outputs of an embedder with a gate."""


class ExtraOutputs:
    """
    The outputs that predictions of a tagger hold on request, besides words, tags and entities; see `TaggingModel`. The
    head computes its own ones.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
    head : `TagHead`
    has_attention : `bool`
        Whether the encoder has attention to show.
    """

    def __init__(
        self, text_field_embedder: TextFieldEmbedder, encoder: Seq2SeqEncoder, head: TagHead, has_attention: bool
    ) -> None:
        self.asked_for: List[str] = []
        self._encoder: Any = encoder
        self._head = head
        self._has_attention = has_attention
        self._gated: List[Tuple[str, Any]] = [
            (name, embedder)
            for name, embedder in token_embedders(text_field_embedder).items()
            if getattr(embedder, "has_gate", False)
        ]

    @property
    def available(self) -> List[str]:
        """The names of the outputs that the model has."""
        attention = ["attention"] if self._has_attention else []
        return [*self._head.extra_outputs, *attention, *(_GATES if len(self._gated) == 1 else ())]

    def ask_for(self, names: Sequence[str]) -> None:
        """Makes predictions hold these outputs. Raises `ConfigurationError` where the model does not have one."""
        available = self.available
        for name in names:
            if name not in available:
                raise ConfigurationError(
                    f"extra_outputs must be among {', '.join(available)}, found {name!r}; attention needs an encoder "
                    "that has it, gate one embedder char_gated with the combination attention"
                )
        self.asked_for = [*names]

    def add(self, name: str) -> None:
        """Adds an output to predictions. Raises `ConfigurationError` where the model does not have it."""
        available = self.available
        if name not in available:
            raise ConfigurationError(f"found the extra output {name!r}, expected one of {', '.join(available)}")
        if name not in self.asked_for:
            self.asked_for.append(name)

    @contextmanager
    def more(self, names: Collection[str]) -> Iterator[None]:
        """Adds the outputs that the model has to predictions within the block, and ignores other names."""
        before = self.asked_for
        self.asked_for = [*before, *({*names} & {*self.available} - {*before})]
        try:
            yield
        finally:
            self.asked_for = before

    def shown(
        self, tokens: TextFieldTensors, embedded: torch.Tensor, mask: torch.BoolTensor, context: Dict[str, torch.Tensor]
    ) -> Dict[str, torch.Tensor]:
        """
        Computes the outputs that are not the head's: attention, (B, T, T) or to the slots of a memory; `gate`, (B, T);
        and `gate_features`, (B, T, D). The words of a batch are given as `tokens` and as embedded, (B, T, D), with
        their mask (B, T) and what else the encoder reads.
        """
        shown: Dict[str, torch.Tensor] = {}
        if "attention" in self.asked_for:
            weights = self._encoder.attention(embedded, mask, **context)
            shown |= weights if isinstance(weights, dict) else {"attention": weights}
        asked = [output for output in _GATES if output in self.asked_for]
        if asked:
            ((name, embedder),) = self._gated
            gate = embedder.gate(**tokens[name])
            shown |= {output: gate if output == "gate_features" else gate.mean(-1) for output in asked}
        return shown

    def readable(self, shown: Dict[str, torch.Tensor], sentences: List[Dict[str, Any]]) -> Dict[str, List[Any]]:
        """Returns `shown`, cut to the length of each sentence, whose metadata are given, and `syntax`."""
        lengths = [len(sentence["words"]) for sentence in sentences]
        readable = self.syntax(sentences)
        for name, rows in shown.items():
            if name == "gate_features":
                readable[name] = [row[:n].tolist() for row, n in zip(rows, lengths, strict=True)]
                continue
            # Words, (T,), words by words, (T, T), or words by the slots of a memory, of which the null memory is first.
            readable[name] = [
                row[tuple(slice(size - (len(row) - n)) for size in row.shape)].tolist()
                for row, n in zip(rows, lengths, strict=True)
            ]
        return readable

    def syntax(self, sentences: List[Dict[str, Any]]) -> Dict[str, List[Any]]:
        """Returns the syntax to look at attention with, given the metadata of sentences, if one of them has it."""
        names = SYNTAX if "attention" in self.asked_for else ()
        columns = {name: [sentence.get(name) for sentence in sentences] for name in names}
        return {name: column for name, column in columns.items() if any(column)}


class TaggingModel(FittingWeights, Model):
    """
    The base of taggers: embeds the words of each sentence, encodes them and tags them by a `TagHead`. In training, it
    adds the losses of all parts that are an `AuxiliaryLoss`, and reports their sum as `auxiliary_loss`.

    A subclass may override `encode` and, where instances are not sentences, `tag`.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
        Its attribute `context`, if it has one, names the fields of instances that it reads beside words, as `heads`.
    head : `Lazy[TagHead]`, optional (default = a `projection`)
        The model gives it `input_size`.
    input_dropout : `InputDropout`, optional
        Dropout on the embedded words: `"element"`, `"variational"` or `"word"`.
    loss_reduction : `str`, optional (default = `"mean"`)
        The loss of a batch: `"mean"` over its tokens; `"sentence"`, the mean over its sentences of the sums over their
        tokens; `"sum"` over all of its tokens. It matters to optimisers whose steps are proportional to the loss.
    extra_outputs : `List[str]`, optional
        Outputs of predictions besides words, tags and entities: the `extra_outputs` of the head; `"attention"`, for an
        encoder that has it, with those of `pos`, `heads` and `dep_labels` that the sentence has; and for an embedder
        with a gate, see `CharGatedEmbedder`, `"gate"`, the mean over features of z of each word, and `"gate_features"`,
        z itself.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where sizes do not fit or a name is not one of these.
    """

    default_predictor = "ner"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        head: Lazy[TagHead] = Lazy(TagHead),
        input_dropout: Optional[InputDropout] = None,
        loss_reduction: str = "mean",
        extra_outputs: Optional[List[str]] = None,
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        check_dimensions_match(
            text_field_embedder.get_output_dim(),
            encoder.get_input_dim(),
            "size of the embedded words",
            "input of encoder",
        )
        if loss_reduction not in ("mean", "sentence", "sum"):
            raise ConfigurationError(f"loss_reduction must be mean, sentence or sum, found {loss_reduction!r}")
        self._loss_reduction = loss_reduction
        self.text_field_embedder = text_field_embedder
        self.input_dropout = input_dropout or torch.nn.Identity()
        self.encoder = encoder
        self.head = head.construct(vocab=vocab, input_size=encoder.get_output_dim())
        self._extra_outputs = ExtraOutputs(text_field_embedder, encoder, self.head, self._has_attention())
        self._extra_outputs.ask_for(extra_outputs or [])
        self._auxiliary_losses = AuxiliaryLosses(self)
        if initializer is not None:
            initializer(self)

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        tags: Optional[torch.Tensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **fields: torch.Tensor,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B sentences of up to T words.
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        metadata : `List[Dict[str, Any]]`, optional
            The metadata of each sentence, for `make_output_human_readable`.
        **fields : `torch.Tensor`
            Other fields. The encoder reads those that its `context` names: `heads`, shape (B, T), the position of each
            word's head, counted from 1; 0 is the root.

        # Returns

        The outputs of the head, `metadata`, and, in evaluation, `shown`, which has the `attention` weights, the
        `gate`, (B, T), and the `gate_features`, (B, T, D), if asked for.
        """
        mask = get_text_field_mask(tokens)
        embedded = self.input_dropout(self.text_field_embedder(tokens))
        context = encoder_context(self.encoder, fields)
        outputs = self.tag(self.encode(embedded, mask, **context), mask, tags, **fields)
        outputs["metadata"] = metadata
        if self._extra_outputs.asked_for and not self.training:
            outputs["shown"] = self._extra_outputs.shown(tokens, embedded, mask, context)
        return outputs

    def encode(self, embedded: torch.Tensor, mask: torch.BoolTensor, **context: torch.Tensor) -> torch.Tensor:
        """Encodes embedded words (B, T, D), shape (B, T, H)."""
        return self.encoder(embedded, mask, **context)

    def tag(
        self, encoded: torch.Tensor, mask: torch.BoolTensor, tags: Optional[torch.Tensor] = None, **fields: torch.Tensor
    ) -> Dict[str, Any]:
        """
        # Parameters

        encoded : `torch.Tensor`
            Shape (B, T, H).
        mask : `torch.BoolTensor`
            Shape (B, T).
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        **fields : `torch.Tensor`
            The other fields of the batch, for a subclass that splits instances into sentences.

        # Returns

        The outputs of the head, which decodes in evaluation alone; auxiliary losses are part of `loss`.
        """
        outputs = self.head(encoded, mask, tags, decode=not self.training)
        auxiliary_loss = self._auxiliary_losses(mask)
        if tags is None:
            return outputs
        if auxiliary_loss is not None:
            outputs["loss"] = outputs["loss"] + auxiliary_loss
        if self._loss_reduction != "mean":
            num_losses = mask.any(1).sum() if self._loss_reduction == "sentence" else 1
            outputs |= {name: outputs[name] * mask.sum() / num_losses for name in self.head.losses}
        return outputs

    def add_extra_output(self, name: str) -> None:
        """Adds an output to predictions. Raises `ConfigurationError` where the model does not have it."""
        self._extra_outputs.add(name)

    def more_outputs(self, names: Collection[str]) -> AbstractContextManager[None]:
        """Adds the outputs that the model has to predictions within the block, and ignores other names."""
        return self._extra_outputs.more(names)

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """Returns the scores of the head; in training the mean over batches of `auxiliary_loss`, if there is one."""
        return self._auxiliary_losses.get_metric(reset) if self.training else self.head.get_metrics(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Returns what `TagHead` describes, and the outputs asked for, each cut to the length of its sentence."""
        metadata = output_dict["metadata"]
        readable = self.head.make_output_human_readable(output_dict, metadata, self._extra_outputs.asked_for)
        return {**readable, **self._extra_outputs.readable(output_dict.get("shown", {}), metadata)}

    def _has_attention(self) -> bool:
        return hasattr(self.encoder, "attention")


@Model.register("sequence_tagger")
class SequenceTagger(TaggingModel):
    """
    Tags the words of a sentence: the dependency-aware model (Aguilar and Solorio, 2019), whose loss, equation 6 and
    footnote 4, has the `loss_reduction` `"sentence"`; the character-attention model (Rei, Crichton and Pyysalo, 2016);
    and every baseline.

    # Parameters

    dropout : `float`, optional (default = `0.0`)
        Variational dropout on the encoded words.
    **kwargs
        As in `TaggingModel`.
    """

    def __init__(self, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dropout = InputVariationalDropout(dropout)

    def encode(self, embedded: torch.Tensor, mask: torch.BoolTensor, **context: torch.Tensor) -> torch.Tensor:
        return self.dropout(super().encode(embedded, mask, **context))


@Model.register("seq2biseq")
class Seq2Biseq(TaggingModel):
    """
    Tags the words of a sentence by two decoders over their labels, from right to left and then from left to right, in
    place of a CRF: Seq2Biseq (Dinarelli and Grobol, 2019). The encoder of the paper is a bidirectional GRU.

    The paper trains it best with two optimisers, one of them on `backward_loss`: the optimiser and the callback
    `per_loss`.

    # Parameters

    head : `Lazy[TagHead]`
        A `seq2biseq`, see `Seq2BiseqHead`; or a `projection`, for a CRF under the same dropout, to compare with.
    dropout : `float`, optional (default = `0.0`)
        On embedded and encoded words; the head has dropout of its own.
    **kwargs
        As in `TaggingModel`.
    """

    def __init__(self, head: Lazy[TagHead], dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(head=head, **kwargs)
        self.dropout = FastDropout(dropout)

    def encode(self, embedded: torch.Tensor, mask: torch.BoolTensor, **context: torch.Tensor) -> torch.Tensor:
        return self.dropout(super().encode(self.dropout(embedded), mask, **context))

from contextlib import AbstractContextManager
from typing import Any, Collection, Dict, List, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import InputVariationalDropout, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.models.extra_outputs import ExtraOutputs
from nerzoo.models.heads.tag_head import TagHead
from nerzoo.modules.auxiliary_losses import AuxiliaryLosses
from nerzoo.modules.dropout import InputDropout
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.seq2seq_encoders.encoder import encoder_context


class TaggingModel(FittingWeights, Model):
    """
    Embeds the words of each sentence, encodes them and tags them by a `TagHead`: what all taggers share. In
    training, the losses of all parts that are an `AuxiliaryLoss` are added, and reported as `auxiliary_loss`.

    A subclass says in `encode` how words are encoded and, where instances are not sentences, in `tag` what is tagged.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
        Its attribute `context`, if it has one, names the fields of instances that it reads beside words, as `heads`.
    head : `Lazy[TagHead]`, optional (default = a `projection`)
        Its `input_size` is not to be given.
    input_dropout : `InputDropout`, optional
        Dropout on the embedded words: `"element"`, `"variational"` or `"word"`.
    loss_reduction : `str`, optional (default = `"mean"`)
        The loss of a batch: `"mean"`, over its tokens; `"sentence"`, the mean over its sentences of the sums over their
        tokens; `"sum"`, over all of its tokens. It matters to optimisers whose steps are as large as the loss.
    extra_outputs : `List[str]`, optional
        Outputs of predictions besides words, tags and entities: the `extra_outputs` of the head; `"attention"`, for an
        encoder that has it, with those of `pos`, `heads` and `dep_labels` that the sentence has; for the one embedder
        that has a gate, see `CharGatedEmbedder`, `"gate"`, the mean over features of z of each word, and
        `"gate_features"`, z itself.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where sizes do not fit or a name is none of those above.
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
            Further fields, of which the encoder reads those that its `context` names: `heads`, shape (B, T), the
            position of each word's head, counted from 1; 0 is the root.

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
        """Embedded words (B, T, D) to encoded ones, (B, T, H)."""
        return self.encoder(embedded, mask, **context)

    def tag(
        self,
        encoded: torch.Tensor,
        mask: torch.BoolTensor,
        tags: Optional[torch.Tensor] = None,
        **fields: torch.Tensor,
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
            The other fields of the batch. Not used here, but where a subclass splits instances into sentences.

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
        """Adds those of the outputs that the model has to predictions within the block."""
        return self._extra_outputs.more(names)

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The scores of the head; in training the mean over batches of `auxiliary_loss`, if there is one."""
        return self._auxiliary_losses.get_metric(reset) if self.training else self.head.get_metrics(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Gives what `TagHead` describes, and the outputs asked for, each cut to the length of its sentence."""
        metadata = output_dict["metadata"]
        readable = self.head.make_output_human_readable(output_dict, metadata, self._extra_outputs.asked_for)
        return {**readable, **self._extra_outputs.readable(output_dict.get("shown", {}), metadata)}

    def _has_attention(self) -> bool:
        """Whether there is attention to show."""
        return hasattr(self.encoder, "attention")


@Model.register("sequence_tagger")
class SequenceTagger(TaggingModel):
    """
    Tags the words of a sentence: the dependency-aware model (Aguilar and Solorio, 2019), whose loss, equation 6 and
    footnote 4, is that with the `loss_reduction` `"sentence"`; the character-attention model (Rei, Crichton and
    Pyysalo, 2016); and every baseline.

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

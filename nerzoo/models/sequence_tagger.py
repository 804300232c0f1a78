from contextlib import contextmanager
from typing import Any, Collection, Dict, Iterator, List, Mapping, Optional, Tuple

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import InputVariationalDropout, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import dist_reduce_sum, get_text_field_mask
from allennlp.training.metrics import Metric

from nerzoo import archives
from nerzoo.allennlp_private import token_embedders
from nerzoo.archives.exported import TAG_NAMESPACES
from nerzoo.archives.reading import read_checked_weights, weights_path
from nerzoo.errors import check_choice
from nerzoo.models.heads.tag_head import Metadata, TagHead
from nerzoo.modules.dropout import FastDropout, InputDropout
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.token_embedders.char_gated import AuxiliaryLoss
from nerzoo.text.annotation import SYNTAX

_TAG_SCORES = ("head.tag_projection.", "head.distribution.")
"""The beginnings of the names of weights that belong to tags."""
_READ_BY_HEADS = ("annotated", "loss_weight", "marginals")
"""Fields that heads read beside the gold tags."""
_GATES = ("gate", "gate_features")
"""The extra outputs of an embedder with a gate."""
_MISSING = {
    "heads": "reads dependency trees, but the sentences have none: expected heads in the corpus or the input or, for "
    "raw text, a spaCy pipeline that parses as dataset_reader.parser"
}


class AuxiliaryLosses(Metric):
    """
    Sums the losses of all parts of a model that are an `AuxiliaryLoss`, and reports their mean over batches as the
    metric `auxiliary_loss`.
    """

    def __init__(self, model: torch.nn.Module) -> None:
        self._parts = [module for module in model.modules() if isinstance(module, AuxiliaryLoss)]
        # The sum moves to the device of the losses, so that the host need not wait for them.
        self._total = torch.zeros(())
        self._count = 0

    def __call__(self, mask: torch.BoolTensor) -> Optional[torch.Tensor]:  # type: ignore[override]
        """Returns the parts' last losses divided by the number of words in the mask (B, T), `None` without losses."""
        losses = [loss for loss in (part.auxiliary_loss() for part in self._parts) if loss is not None]
        if not losses:
            return None
        loss = torch.stack(losses).sum() / mask.sum()
        # Summed here and not in `get_metrics`, which a single worker may call.
        self._total = self._total + dist_reduce_sum(loss.detach())
        self._count += dist_reduce_sum(1)
        return loss

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """Returns `auxiliary_loss`, or nothing where there has been no loss since the last reset."""
        if not self._count:
            return {}
        metrics = {"auxiliary_loss": float(self._total) / self._count}
        if reset:
            self.reset()
        return metrics

    def reset(self) -> None:
        """Forgets all losses."""
        self._total, self._count = torch.zeros(()), 0


def encoder_context(encoder: Seq2SeqEncoder, fields: Mapping[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    """
    Returns the fields of a batch, by name, that an encoder lists in its attribute `context`, as keyword arguments of
    its methods `forward` and `attention`. AllenNLP's encoders have no such attribute and read no fields. Raises
    `ConfigurationError` where the batch lacks one.
    """
    context: Dict[str, torch.Tensor] = {}
    for name in getattr(encoder, "context", ()):
        if name not in fields:
            raise ConfigurationError(
                f"{type(encoder).__name__} "
                + _MISSING.get(name, f"reads {name}, but the instances have none: expected a reader that gives them")
            )
        context[name] = fields[name]
    return context


class TaggingModel(FittingWeights, Model):
    """
    The base of taggers: embeds the words of each sentence, encodes them and tags them by a `TagHead`. In training, it
    adds the losses of all parts that are an `AuxiliaryLoss`, and reports their sum as `auxiliary_loss`. A subclass may
    override `encode` and, where instances are not sentences, `tag`.

    # Parameters

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
    pretrained_file : `str`, optional
        The archive of a tagger to begin with, see `FittingWeights.begin_with`. The vocabulary begins with that of the
        archive, as a `from_archive` does. Scores of tags are taken only for the same tags. Of a trained model, AllenNLP
        removes the option.

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
        pretrained_file: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        size = text_field_embedder.get_output_dim()
        check_dimensions_match(size, encoder.get_input_dim(), "size of the embedded words", "input of encoder")
        check_choice("loss_reduction", loss_reduction, ("mean", "sentence", "sum"))
        self._loss_reduction = loss_reduction
        self.text_field_embedder = text_field_embedder
        self.input_dropout = input_dropout or torch.nn.Identity()
        self.encoder = encoder
        self.head = head.construct(vocab=vocab, input_size=encoder.get_output_dim())
        self.extra_outputs: List[str] = []
        for name in extra_outputs or []:
            self.add_extra_output(name)
        self._auxiliary_losses = AuxiliaryLosses(self)
        if initializer is not None:
            initializer(self)
        if pretrained_file is not None:
            self._begin_with(pretrained_file)

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        tags: Optional[torch.Tensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **fields: torch.Tensor,
    ) -> Dict[str, Any]:
        """
        Tags B sentences of up to T words, given their gold `tags` (B, T), if known. The encoder reads the other fields
        that its `context` names, such as `heads` (B, T). Returns the outputs of the head, `metadata`, which
        `make_output_human_readable` needs, and, in evaluation, `shown`: the extra outputs that are not the head's.
        """
        mask = get_text_field_mask(tokens)
        embedded = self.input_dropout(self.text_field_embedder(tokens))
        context = encoder_context(self.encoder, fields)
        outputs = self.tag(self.encode(embedded, mask, **context), mask, tags, **fields)
        outputs["metadata"] = metadata
        if self.extra_outputs and not self.training:
            outputs["shown"] = self._shown(tokens, embedded, mask, context)
        return outputs

    def encode(self, embedded: torch.Tensor, mask: torch.BoolTensor, **context: torch.Tensor) -> torch.Tensor:
        """Encodes embedded words (B, T, D), shape (B, T, H)."""
        return self.encoder(embedded, mask, **context)

    def tag(
        self, encoded: torch.Tensor, mask: torch.BoolTensor, tags: Optional[torch.Tensor] = None, **fields: torch.Tensor
    ) -> Dict[str, Any]:
        """
        Returns the outputs of the head, which decodes in evaluation alone, given encoded words (B, T, H) and, if known,
        their gold tags (B, T). Auxiliary losses are part of `loss`. Subclasses may read other fields of the batch.
        """
        read = {name: fields[name] for name in _READ_BY_HEADS if name in fields}
        outputs = self.head(encoded, mask, tags, decode=not self.training, **read)
        auxiliary_loss = self._auxiliary_losses(mask)
        if tags is None:
            return outputs
        if auxiliary_loss is not None:
            outputs["loss"] = outputs["loss"] + auxiliary_loss
        if self._loss_reduction != "mean":
            num_losses = mask.any(1).sum() if self._loss_reduction == "sentence" else 1
            outputs |= {name: outputs[name] * mask.sum() / num_losses for name in self.head.losses}
        return outputs

    @property
    def types(self) -> List[str]:
        """The types of entities that the model finds, see `TagHead.types`."""
        return self.head.types

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """Returns the scores of the head; in training the mean over batches of `auxiliary_loss`, if there is one."""
        return self._auxiliary_losses.get_metric(reset) if self.training else self.head.get_metrics(reset)

    def add_extra_output(self, name: str) -> None:
        """Adds an output to predictions. Raises `ConfigurationError` where the model does not have it."""
        available = self._available_outputs()
        if name not in available:
            raise ConfigurationError(
                f"found the extra output {name!r}, expected one of {', '.join(available)}; attention needs an encoder "
                "that has it, gate one embedder char_gated with the combination attention"
            )
        if name not in self.extra_outputs:
            self.extra_outputs.append(name)

    @contextmanager
    def more_outputs(self, names: Collection[str]) -> Iterator[None]:
        """Adds the outputs that the model has to predictions within the block, and ignores other names."""
        before = self.extra_outputs
        self.extra_outputs = [*before, *({*names} & {*self._available_outputs()} - {*before})]
        try:
            yield
        finally:
            self.extra_outputs = before

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Returns what `TagHead` describes, and the extra outputs, each cut to the length of its sentence. With attention
        comes `without_effect`, the names of those whose weights do not change predictions, if there are any.
        """
        metadata = output_dict["metadata"]
        readable = self.head.make_output_human_readable(output_dict, metadata, self.extra_outputs)
        readable |= self._syntax(metadata)
        if "attention" in self.extra_outputs and (names := getattr(self.encoder, "without_effect", ())):
            readable["without_effect"] = [[*names] for _ in metadata]
        for name, rows in output_dict.get("shown", {}).items():
            readable[name] = []
            for row, sentence in zip(rows, metadata, strict=True):
                padding = len(row) - len(sentence["words"])
                # Attention is to words or slots: the null memory is first, padding last. Gates have features.
                sizes = row.shape[:1] if name == "gate_features" else row.shape
                readable[name].append(row[tuple(slice(size - padding) for size in sizes)].tolist())
        return readable

    def _begin_with(self, archive: str) -> None:
        with archives.unpacked(archive) as folder:
            weights = read_checked_weights(weights_path(folder))
            vocab = Vocabulary.from_files(f"{folder}/vocabulary")
        archived, own = (
            {name: each.get_token_to_index_vocabulary(name) for name in each.get_namespaces()}
            for each in (vocab, self.vocab)
        )
        for name in sorted((archived.keys() & own.keys()).difference(TAG_NAMESPACES)):
            if not archived[name].items() <= own[name].items():
                found = f"{archive}: found other {name} in the vocabulary than in the archive, or in another order"
                raise ConfigurationError(f"{found}, expected those of the archive first: a vocabulary from_archive")
        if any(archived.get(name) != own.get(name) for name in TAG_NAMESPACES):
            weights = {name: tensor for name, tensor in weights.items() if not name.startswith(_TAG_SCORES)}
        self.begin_with(weights)

    def _has_attention(self) -> bool:
        return hasattr(self.encoder, "attention")

    def _gated_embedders(self) -> List[Tuple[str, Any]]:
        embedders = token_embedders(self.text_field_embedder)
        return [(name, embedder) for name, embedder in embedders.items() if getattr(embedder, "has_gate", False)]

    def _available_outputs(self) -> List[str]:
        attention = ["attention"] if self._has_attention() else []
        return [*self.head.extra_outputs, *attention, *(_GATES if len(self._gated_embedders()) == 1 else ())]

    def _shown(
        self, tokens: TextFieldTensors, embedded: torch.Tensor, mask: torch.BoolTensor, context: Dict[str, torch.Tensor]
    ) -> Dict[str, torch.Tensor]:
        """Computes attention, (B, T, T) or to the slots of a memory; `gate`, (B, T); and `gate_features`, (B, T, D)."""
        shown: Dict[str, torch.Tensor] = {}
        if "attention" in self.extra_outputs:
            encoder: Any = self.encoder
            weights = encoder.attention(embedded, mask, **context)
            shown |= weights if isinstance(weights, dict) else {"attention": weights}
        gates = [name for name in _GATES if name in self.extra_outputs]
        if gates:
            ((indexer, embedder),) = self._gated_embedders()
            gate = embedder.gate(**tokens[indexer])
            shown |= {name: gate if name == "gate_features" else gate.mean(-1) for name in gates}
        return shown

    def _syntax(self, sentences: Metadata) -> Dict[str, List[Any]]:
        """Returns the syntax to look at attention with, given the metadata of sentences, if one of them has it."""
        names = SYNTAX if "attention" in self.extra_outputs else ()
        columns = {name: [sentence.get(name) for sentence in sentences] for name in names}
        return {name: column for name, column in columns.items() if any(column)}


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
    place of a CRF: Seq2Biseq (Dinarelli and Grobol, 2019). The encoder of the paper is a bidirectional GRU. It trains
    best with two optimisers, one of them on `backward_loss`: the optimiser and the callback `per_loss`.

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

from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, InputVariationalDropout, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.compatibility import token_embedders
from nerzoo.models.auxiliary_losses import AuxiliaryLosses
from nerzoo.models.heads.projection import ProjectionHead
from nerzoo.modules.seq2seq_encoders import TreeEncoder
from nerzoo.modules.token_embedders import CharGatedEmbedder


@Model.register("sequence_tagger")
class SequenceTagger(Model):
    """
    Embeds the words of each sentence, encodes them, with their dependency trees if the encoder is a `TreeEncoder`, and
    tags them. The loss is averaged over tokens (Aguilar and Solorio, 2019, equation 6 and footnote 4). In training, the
    losses of all parts that are an `AuxiliaryLoss` are added, and reported as `auxiliary_loss`.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
    decoder : `str`, optional (default = `"crf"`)
        `"crf"` or `"softmax"`, see `ProjectionHead`.
    label_encoding : `str`, optional
        `"BIO"` or `"BIOUL"`, the reader's `coding_scheme`, if tags stand for entities; see `ProjectionHead`.
    dropout : `float`, optional (default = `0.0`)
        Variational dropout on the encoded words.
    feedforward : `FeedForward`, optional
        Hidden layers between the encoder and the decoder.
    train_metrics : `bool`, optional (default = `False`)
        Whether to decode and score in training, too.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity.
    positive_label : `str`, optional
        Where tags stand for themselves, the one whose precision, recall and F0.5 are reported: that of errors, say.
    concept_error_rate : `bool`, optional (default = `False`)
        Where tags stand for entities, whether to report their error rate, too.
    loss_reduction : `str`, optional (default = `"mean"`)
        `"mean"`: over the tokens of a batch; `"sum"`: the loss of a batch is that of its sentences together, for
        optimisers to which its size makes a difference.
    extra_outputs : `List[str]`, optional
        What predictions hold besides words, tags and entities: `"logits"`; `"attention"`, for an encoder that has it;
        `"gate"`, for the one embedder that has it: the mean over features of z of each word, see `CharGatedEmbedder`.
    label_namespace : `str`, optional (default = `"labels"`)
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
        decoder: str = "crf",
        label_encoding: Optional[str] = None,
        dropout: float = 0.0,
        feedforward: Optional[FeedForward] = None,
        train_metrics: bool = False,
        metrics_per_type: bool = False,
        positive_label: Optional[str] = None,
        concept_error_rate: bool = False,
        loss_reduction: str = "mean",
        extra_outputs: Optional[List[str]] = None,
        label_namespace: str = "labels",
        initializer: Optional[InitializerApplicator] = None,
        **kwargs,
    ) -> None:
        super().__init__(vocab, **kwargs)
        check_dimensions_match(
            text_field_embedder.get_output_dim(),
            encoder.get_input_dim(),
            "size of the embedded words",
            "input of encoder",
        )
        self._extra_outputs = extra_outputs or []
        for name in self._extra_outputs:
            if name not in ("logits", "attention", "gate"):
                raise ConfigurationError(f"extra_outputs must be among logits, attention and gate, found {name!r}")
        if "attention" in self._extra_outputs and not hasattr(encoder, "attention"):
            raise ConfigurationError(f"extra_outputs names attention, but {type(encoder).__name__} has none")
        self._gated = None
        if "gate" in self._extra_outputs:
            self._gated = _gated(text_field_embedder)
        if loss_reduction not in ("mean", "sum"):
            raise ConfigurationError(f"loss_reduction must be mean or sum, found {loss_reduction!r}")
        self._loss_reduction = loss_reduction
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        self.dropout = InputVariationalDropout(dropout)
        self.head = ProjectionHead(
            vocab,
            encoder.get_output_dim(),
            decoder,
            label_encoding,
            metrics_per_type,
            label_namespace,
            feedforward,
            positive_label,
            concept_error_rate,
        )
        self._train_metrics = train_metrics
        self._auxiliary_losses = AuxiliaryLosses(self)
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        tokens: TextFieldTensors,
        heads: Optional[torch.LongTensor] = None,
        tags: Optional[torch.LongTensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B sentences of up to T words.
        heads : `torch.LongTensor`, optional
            Shape (B, T). The position of each word's head, counted from 1; 0 is the root. A `TreeEncoder` needs them.
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        metadata : `List[Dict[str, Any]]`, optional
            What `make_output_human_readable` needs of each sentence.

        # Returns

        What `ProjectionHead` returns, `metadata`, and, in evaluation, the `attention` weights and the `gate` (B, T) if
        asked for.
        """
        mask = get_text_field_mask(tokens)
        inputs = [self.text_field_embedder(tokens), mask]
        if isinstance(self.encoder, TreeEncoder):
            if heads is None:
                raise ConfigurationError(
                    f"{type(self.encoder).__name__} reads dependency trees, but the sentences have none: expected "
                    "heads in the corpus or the input or, for raw text, a spaCy pipeline that parses as reader.parser"
                )
            inputs.append(heads)
        encoded = self.encoder(*inputs)
        decode = self._train_metrics or not self.training
        outputs: Dict[str, Any] = self.head(self.dropout(encoded), mask, tags, decode)
        if "loss" in outputs:
            outputs["loss"] = self._whole_loss(outputs["loss"], mask)
        outputs["metadata"] = metadata
        if "attention" in self._extra_outputs and not self.training:
            weights = self.encoder.attention(*inputs)
            outputs["attention"] = weights if isinstance(weights, dict) else {"attention": weights}
        if self._gated is not None and not self.training:
            name, embedder = self._gated
            outputs["gate"] = embedder.gate(**tokens[name]).mean(-1)
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        The scores of `ProjectionHead`; none in training, unless `train_metrics`. In training the mean over batches of
        `auxiliary_loss`, per token as the loss, if there are such parts.
        """
        metrics = self._auxiliary_losses.get_metrics(reset) if self.training else {}
        if self._train_metrics or not self.training:
            metrics |= self.head.get_metrics(reset)
        return metrics

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        What `ProjectionHead` describes, the id of the document and the gold tags where they are known, and the outputs
        asked for, each cut to the length of its sentence.
        """
        metadata = output_dict["metadata"]
        readable: Dict[str, Any] = self.head.make_output_human_readable(output_dict, metadata)
        if "loss" in output_dict:
            readable["loss"] = output_dict["loss"]
        lengths = [len(sentence["words"]) for sentence in metadata]
        if "logits" in self._extra_outputs:
            readable["logits"] = [row[:n].tolist() for row, n in zip(output_dict["logits"], lengths, strict=True)]
        if "gate" in output_dict:
            readable["gate"] = [row[:n].tolist() for row, n in zip(output_dict["gate"], lengths, strict=True)]
        for name, weights in output_dict.get("attention", {}).items():
            # Of words, (T,), or of words to words, (T, T).
            readable[name] = [row[(slice(n),) * row.dim()].tolist() for row, n in zip(weights, lengths, strict=True)]
        return readable

    def _whole_loss(self, loss: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        auxiliary_loss = self._auxiliary_losses(mask)
        if auxiliary_loss is not None:
            loss = loss + auxiliary_loss
        return loss * mask.sum() if self._loss_reduction == "sum" else loss


def _gated(text_field_embedder: TextFieldEmbedder) -> Tuple[str, CharGatedEmbedder]:
    """The one embedder that has a gate, and the name of its indexer."""
    gated = [
        (name, embedder)
        for name, embedder in token_embedders(text_field_embedder).items()
        if isinstance(embedder, CharGatedEmbedder) and embedder.combination == "attention"
    ]
    if len(gated) != 1:
        raise ConfigurationError(
            "extra_outputs names gate, expected one embedder char_gated with the combination attention, found "
            f"{len(gated)}"
        )
    return gated[0]

from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, InputVariationalDropout, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.modules.seq2seq_encoders import TreeEncoder
from nerzoo.modules.tagging_head import TaggingHead


@Model.register("sequence_tagger")
class SequenceTagger(Model):
    """
    Embeds the words of each sentence, encodes them, with their dependency trees if the encoder is a `TreeEncoder`, and
    tags them. The loss is averaged over tokens (Aguilar and Solorio, 2019, equation 6 and footnote 4).

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
    decoder : `str`, optional (default = `"crf"`)
        `"crf"` or `"softmax"`, see `TaggingHead`.
    label_encoding : `str`, optional
        `"BIO"` or `"BIOUL"`, the reader's `coding_scheme`, if tags stand for entities; see `TaggingHead`.
    dropout : `float`, optional (default = `0.0`)
        Variational dropout on the encoded words.
    feedforward : `FeedForward`, optional
        Hidden layers between the encoder and the decoder.
    train_metrics : `bool`, optional (default = `False`)
        Whether to decode and score in training, too.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity.
    extra_outputs : `List[str]`, optional
        What predictions hold besides words, tags and entities: `"logits"`; `"attention"`, for an encoder that has it.
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
            if name not in ("logits", "attention"):
                raise ConfigurationError(f"extra_outputs must be among logits and attention, found {name!r}")
        if "attention" in self._extra_outputs and not hasattr(encoder, "attention"):
            raise ConfigurationError(f"extra_outputs names attention, but {type(encoder).__name__} has none")
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        self.dropout = InputVariationalDropout(dropout)
        self.head = TaggingHead(
            vocab, encoder.get_output_dim(), decoder, label_encoding, metrics_per_type, label_namespace, feedforward
        )
        self._train_metrics = train_metrics
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

        What `TaggingHead` returns, `metadata`, and, in evaluation, the `attention` weights if asked for.
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
        outputs["metadata"] = metadata
        if "attention" in self._extra_outputs and not self.training:
            weights = self.encoder.attention(*inputs)
            outputs["attention"] = weights if isinstance(weights, dict) else {"attention": weights}
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The scores of `TaggingHead`; none in training, unless `train_metrics`."""
        if self.training and not self._train_metrics:
            return {}
        return self.head.get_metrics(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        What `TaggingHead` describes, the id of the document and the gold tags where they are known, and the outputs
        asked for, each cut to the length of its sentence.
        """
        metadata = output_dict["metadata"]
        readable: Dict[str, Any] = self.head.make_output_human_readable(output_dict, metadata)
        if "loss" in output_dict:
            readable["loss"] = output_dict["loss"]
        lengths = [len(sentence["words"]) for sentence in metadata]
        if "logits" in self._extra_outputs:
            readable["logits"] = [row[:n].tolist() for row, n in zip(output_dict["logits"], lengths, strict=True)]
        for name, weights in output_dict.get("attention", {}).items():
            # Of words, (T,), or of words to words, (T, T).
            readable[name] = [row[(slice(n),) * row.dim()].tolist() for row, n in zip(weights, lengths, strict=True)]
        return readable

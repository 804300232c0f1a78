from typing import Any, Dict, List, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask
from torch.nn.functional import cross_entropy

from nerzoo.data.described_entities import described_entities
from nerzoo.modules.span_decoders import HighestFirst, NestedDecoder, ScoredEntity, span_candidates
from nerzoo.modules.span_features import SpanFeatures
from nerzoo.modules.span_sampler import SpanSampler
from nerzoo.nn.spans import span_indices, span_mask
from nerzoo.training.metrics import NestedSpanF1

SPANS_AT_A_TIME = 2048


@Model.register("fofe_ner")
class FofeNer(Model):
    """
    FOFE-NER: entities, nested ones too, found by local detection (Xu, "Fixed-size Ordinally-Forgetting Encoding and its
    Applications", 2017, chapter 5). Each span of up to n words is told by itself, from features of a fixed size, to
    be an entity of some type or none; a decoder settles which of those that overlap stay.

    In training the loss is the cross-entropy averaged over a sample of spans, in evaluation over all of them: the
    two do not compare. Without a span it is 0.

    # Parameters

    vocab : `Vocabulary`
    features : `Dict[str, SpanFeatures]`
        What is known of a span, under names of your choice.
    feedforward : `Lazy[FeedForward]`
        Hidden layers above the features. Their `input_dim` is not to be given.
    max_length : `int`, optional (default = `7`)
        n, the reader's `max_length`.
    sampler : `SpanSampler`, optional (default = `SpanSampler()`)
        Which spans are trained on.
    decoder : `NestedDecoder`, optional (default = one level of `highest_first`)
        Its levels are those of nested entities.
    dropout : `float`, optional (default = `0.0`)
        On the features.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity.
    metrics_per_depth : `bool`, optional (default = `False`)
        Whether to report them of each depth of nesting.
    label_namespace : `str`, optional (default = `"labels"`)
        Holds the types of entities.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where there are no features or no types, or `max_length` is below one.
    """

    default_predictor = "ner"

    def __init__(
        self,
        vocab: Vocabulary,
        features: Dict[str, SpanFeatures],
        feedforward: Lazy[FeedForward],
        max_length: int = 7,
        sampler: Optional[SpanSampler] = None,
        decoder: Optional[NestedDecoder] = None,
        dropout: float = 0.0,
        metrics_per_type: bool = False,
        metrics_per_depth: bool = False,
        label_namespace: str = "labels",
        initializer: Optional[InitializerApplicator] = None,
        **kwargs,
    ) -> None:
        super().__init__(vocab, **kwargs)
        if not features:
            raise ConfigurationError("fofe_ner: found no features, expected one at least")
        types = vocab.get_index_to_token_vocabulary(label_namespace)
        if not types:
            raise ConfigurationError("fofe_ner: found no types of entities in the vocabulary, expected one at least")
        if max_length < 1:
            raise ConfigurationError(f"fofe_ner: found a max_length of {max_length}, expected one word at least")
        self._types = [types[id_] for id_ in range(len(types))]
        self.max_length = max_length
        self.features = torch.nn.ModuleDict(features)
        self.dropout = torch.nn.Dropout(dropout)
        self.feedforward = feedforward.construct(input_dim=sum(part.get_output_dim() for part in features.values()))
        # 0 is no entity.
        self.label_projection = torch.nn.Linear(self.feedforward.get_output_dim(), 1 + len(self._types))
        self.sampler = sampler or SpanSampler()
        self.decoder = decoder or NestedDecoder([HighestFirst()])
        self.metric = NestedSpanF1(vocab, label_namespace, metrics_per_type, metrics_per_depth)
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        tokens: TextFieldTensors,
        spans: Optional[Dict[str, torch.Tensor]] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **kwargs,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B sentences of up to T words.
        spans : `Dict[str, torch.Tensor]`, optional
            What each span is, as `SpanField` says it. Training needs it.
        metadata : `List[Dict[str, Any]]`, optional
            Of each sentence what `make_output_human_readable` needs, and `gold_entities` to be scored with.

        Trees, which the reader gives where the corpus has them, are not read.

        # Returns

        `loss` if `spans` are given; in evaluation also `probabilities`, shape (B, T, n, 1 + number of types), of no
        entity and of each type, at [start, length - 1], zero where there is no span; `entities`, of each sentence a
        list of `ScoredEntity`; and `metadata`.

        # Raises

        `ConfigurationError` where `spans` have another length than the model's.
        """
        mask = get_text_field_mask(tokens)
        outputs = self._classify(tokens, mask, spans, **kwargs)
        if not self.training:
            outputs["entities"] = self._decode(outputs["probabilities"], mask)
            if spans is not None and metadata is not None:
                self.metric(outputs["entities"], [sentence["gold_entities"] for sentence in metadata])
        return {**outputs, "metadata": metadata}

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """`precision`, `recall` and `f1`, see `NestedSpanF1`; none in training."""
        return {} if self.training else self.metric.get_metric(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Of each sentence `doc_id`, the id of its document, if all have one, `words` and `entities`: dictionaries of
        `start` and `end` in words, `label`, `text`, `start_char`, `end_char`, and `probability`, outer ones before
        those inside them. And the `loss`, if there is one.
        """
        metadata = output_dict["metadata"]
        readable: Dict[str, Any] = {
            "words": [sentence["words"] for sentence in metadata],
            "entities": [
                described_entities([(entity, entity.score) for entity in entities], sentence)
                for entities, sentence in zip(output_dict["entities"], metadata, strict=True)
            ],
        }
        if all(sentence.get("document_id") is not None for sentence in metadata):
            readable["doc_id"] = [sentence["document_id"] for sentence in metadata]
        if "loss" in output_dict:
            readable["loss"] = output_dict["loss"]
        return readable

    def _classify(
        self, tokens: TextFieldTensors, mask: torch.BoolTensor, spans: Optional[Dict[str, torch.Tensor]], **kwargs
    ) -> Dict[str, torch.Tensor]:
        """The `loss` and the `probabilities` that `forward` returns."""
        if spans is not None and spans["labels"].size(2) != self.max_length:
            raise ConfigurationError(
                f"found spans of up to {spans['labels'].size(2)} words, expected the reader's max_length to be "
                f"the model's, {self.max_length}"
            )
        if self.training and spans is not None:
            chosen = self.sampler(**spans, mask=mask)
        else:
            chosen = span_indices(span_mask(mask, self.max_length))
        encoded = {name: part.encode(tokens, mask, self.max_length) for name, part in self.features.items()}
        # shape: (S, 1 + number of types)
        logits = torch.cat([self._scores(encoded, some) for some in chosen.split(SPANS_AT_A_TIME)])
        sentences, starts, ends = chosen.unbind(1)
        places = sentences, starts, ends - starts - 1
        outputs: Dict[str, torch.Tensor] = {}
        if spans is not None:
            loss = cross_entropy(logits, spans["labels"][places], reduction="sum")
            outputs["loss"] = loss / max(len(chosen), 1)
        if not self.training:
            outputs["probabilities"] = logits.new_zeros(*mask.shape, self.max_length, logits.size(1))
            outputs["probabilities"][places] = logits.softmax(1)
        return outputs

    def _scores(self, encoded: Dict[str, Any], spans: torch.LongTensor) -> torch.Tensor:
        """Of spans (S, 3), shape (S, 1 + number of types)."""
        features = torch.cat([part(encoded[name], spans) for name, part in self.features.items()], 1)
        return self.label_projection(self.feedforward(self.dropout(features)))

    def _decode(self, probabilities: torch.Tensor, mask: torch.BoolTensor) -> List[List[ScoredEntity]]:
        candidates = span_candidates(probabilities, mask, self._types, self.decoder.threshold)
        return [self.decoder.decode(of_sentence) for of_sentence in candidates]

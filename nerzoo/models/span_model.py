from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.nn.util import get_text_field_mask
from torch.nn.functional import cross_entropy, pad

from nerzoo.errors import check_range
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.span_decoders import HighestFirst, NestedDecoder, span_candidates
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.nn.numerics import IMPOSSIBLE, at_least_float32, check_temperature, with_bias, with_temperature
from nerzoo.nn.spans import span_cells, span_mask
from nerzoo.text.annotation import Entity, entities_to_json
from nerzoo.text.span_levels import ScoredEntity
from nerzoo.training.metrics.counting_metric import CountingMetric
from nerzoo.training.metrics.nested_span_f1 import NestedSpanF1, UnreachableEntities


class SpanModel(FittingWeights, Model):
    """
    The base of models that classify each span of up to n tokens by itself, as an entity of some type or as none; a
    decoder chooses among overlapping entities. Subclasses implement `_classify`.

    # Parameters

    max_length : `int`, optional (default = `7`)
        n, the reader's `max_length`.
    decoder : `NestedDecoder`, optional (default = one level of `highest_first`)
        Has a level for each level of nesting.
    metrics_per_type, metrics_per_depth : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity, or of each depth of nesting.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities.
    temperature : `float`, optional (default = `1.0`)
        Changes the probabilities of spans before they are compared with the decoder's thresholds, see
        `with_temperature`; `nerzoo calibrate` fits it. It has no part in the loss.
    none_bias : `float`, optional (default = `0.0`)
        Is added to the logit of no entity, before the temperature: below 0 it finds more entities; `nerzoo
        tune-thresholds` fits it. It has no part in the loss.
    min_probability : `float`, optional (default = `0.0`)
        Decoded entities of a lower probability are left out, whatever the decoder's thresholds.

    # Raises

    `ConfigurationError` where there are no types of entities, `max_length` is below one, or the temperature is not
    positive.
    """

    default_predictor = "ner"

    def __init__(
        self,
        vocab: Vocabulary,
        max_length: int = 7,
        decoder: Optional[NestedDecoder] = None,
        metrics_per_type: bool = False,
        metrics_per_depth: bool = False,
        label_namespace: str = "labels",
        temperature: float = 1.0,
        none_bias: float = 0.0,
        min_probability: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        check_temperature(temperature)
        check_range("max_length", max_length, 1)
        self.temperature = temperature
        self.none_bias = none_bias
        self.min_probability = min_probability
        types = vocab.get_index_to_token_vocabulary(label_namespace)
        if not types:
            raise ConfigurationError("found no types of entities in the vocabulary, expected one at least")
        self.types = [types[id_] for id_ in range(len(types))]
        self.max_length = max_length
        self.decoder = decoder or NestedDecoder([HighestFirst()])
        self.metric = NestedSpanF1(vocab, label_namespace, metrics_per_type, metrics_per_depth)
        self.unreachable = UnreachableEntities(max_length, len(self.decoder.levels))
        self._metrics: List[CountingMetric] = [self.metric, self.unreachable]

    # models/model.py, Model.forward: `*inputs`, while gradient_descent_trainer.py, batch_outputs, gives fields by name.
    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        spans: Optional[Dict[str, torch.Tensor]] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **kwargs: Any,
    ) -> Dict[str, Any]:
        """
        Classifies the spans of B sentences of up to T tokens. Training needs `spans`, their gold labels: the tensors of
        a `SpanField` with the `max_length` of the model. With `annotated`, (B, number of types), only these types are
        possible in a sentence. The metadata of a sentence are `words`, `text`, `offsets`,
        `document_id` and, if `spans` are given, `gold_entities`.

        Returns `loss` if `spans` are given; with a filter its `filter_probabilities` (B, T, n), at [start, length - 1];
        in evaluation also `probabilities`, (B, T, n, 1 + number of types), of no entity and of each type, at the same
        places, zero where there is no span; `entities`, a list of `ScoredEntity` for each sentence; and `metadata`.
        """
        mask = get_text_field_mask(tokens)
        if spans is not None:
            check_dimensions_match(spans["labels"].size(2), self.max_length, "max_length of the reader", "the model's")
        inputs = FeatureInputs(tokens, mask, self.max_length)
        outputs: Dict[str, Any] = self._classify(inputs, spans, metadata=metadata, **kwargs)
        if not self.training:
            biased = with_bias(outputs["probabilities"], self.none_bias)
            outputs["probabilities"] = with_temperature(biased, self.temperature)
            outputs["entities"] = self.decode(outputs["probabilities"], mask)
            if spans is not None and metadata is not None:
                gold = [sentence["gold_entities"] for sentence in metadata]
                self.metric(outputs["entities"], gold)
                self.unreachable(gold)
        return {**outputs, "metadata": metadata}

    def decode(self, probabilities: torch.Tensor, mask: torch.BoolTensor) -> List[List[ScoredEntity]]:
        """Finds the entities of sentences, given the `probabilities` that `forward` returns."""
        return [
            [entity for entity in self.decoder.decode(candidates) if entity.score >= self.min_probability]
            for candidates in span_candidates(probabilities, mask, self.types, self.decoder.threshold)
        ]

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        Returns in evaluation `precision`, `recall` and `f1`, see `NestedSpanF1`, the counts of `UnreachableEntities`
        and, with a filter, `FilterScores`; and nothing in training.
        """
        if self.training:
            return {}
        return {name: value for metric in self._metrics for name, value in metric.get_metric(reset).items()}

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Returns for each sentence its `words`, its `entities` in the form of `entities_to_json`, outer entities before
        inner ones; `gold_entities` in the same form, if all sentences have them, with the probability of each, which is
        0 for an entity longer than the model's `max_length`; and `doc_id`, the id of its document, if all have one.
        """
        metadata = output_dict["metadata"]
        readable: Dict[str, Any] = {
            "words": [sentence["words"] for sentence in metadata],
            "entities": [
                entities_to_json([(entity, entity.score) for entity in entities], sentence)
                for entities, sentence in zip(output_dict["entities"], metadata, strict=True)
            ],
        }
        if all("gold_entities" in sentence for sentence in metadata):
            # Copied at once: a copy for each entity would wait for the GPU each time.
            readable["gold_entities"] = [
                entities_to_json([(e, self._probability(spans, e)) for e in sentence["gold_entities"]], sentence)
                for spans, sentence in zip(output_dict["probabilities"].cpu(), metadata, strict=True)
            ]
        if all(sentence.get("document_id") is not None for sentence in metadata):
            readable["doc_id"] = [sentence["document_id"] for sentence in metadata]
        return readable

    def _probability(self, probabilities: torch.Tensor, entity: Entity) -> float:
        """Picks the probability of an entity from those of the spans of its sentence (T, n, 1 + number of types)."""
        start, end, label = entity
        if end - start > self.max_length or label not in self.types:
            return 0.0
        return probabilities[start, end - start - 1, 1 + self.types.index(label)].item()

    def _classify(
        self, inputs: FeatureInputs, spans: Optional[Dict[str, torch.Tensor]], **kwargs: Any
    ) -> Dict[str, torch.Tensor]:
        """Returns the `loss` and the `probabilities` of `forward`."""
        raise NotImplementedError

    def _outputs(
        self,
        mask: torch.BoolTensor,
        chosen: torch.Tensor,
        logits: torch.Tensor,
        spans: Optional[Dict[str, torch.Tensor]] = None,
        annotated: Optional[torch.Tensor] = None,
        log_rates: Optional[torch.Tensor] = None,
    ) -> Dict[str, torch.Tensor]:
        """
        Returns `loss` and `probabilities`, given the logits (S, 1 + number of types) of the spans that were chosen
        (S, 3), and what a `SpanSampler` returns of them; other spans are no entities.
        """
        outputs: Dict[str, torch.Tensor] = {}
        cells = span_cells(chosen)
        # Under autocast, the softmax of a GPU is in float32, and indices assign only to the same type.
        logits = at_least_float32(logits)
        if annotated is not None:
            logits = logits.masked_fill(~pad(annotated, (1, 0), value=True)[cells[0]], IMPOSSIBLE)
        if spans is not None:
            if log_rates is not None:
                logits = logits + pad(log_rates.unsqueeze(1), (0, len(self.types)))
            loss = cross_entropy(logits, spans["labels"][cells], reduction="sum")
            outputs["loss"] = loss / max(len(chosen), 1)
        if not self.training:
            outputs["probabilities"] = logits.new_zeros(*mask.shape, self.max_length, logits.size(1))
            outputs["probabilities"][..., 0] = span_mask(mask, self.max_length).to(logits.dtype)
            outputs["probabilities"][cells] = logits.softmax(1)
        return outputs

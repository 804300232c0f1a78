from typing import Any, Dict, List, Sequence, Tuple

import numpy
from numpy.typing import NDArray

from nerzoo.runtime.items import Object, num_words
from nerzoo.text.annotation import entities_to_json
from nerzoo.text.span_levels import ALGORITHMS, ScoredEntity, SpanLevel, decode_levels


class SpanDecoding:
    """
    Decodes the logits of spans as `nerzoo.models.fofe_ner.FofeNer` does. Its settings are `max_length`, n; `none_bias`
    and `min_probability`; and `levels`, the `type`, `threshold` and `merge_adjacent` of each. The L `types` of
    entities are in the order of their logits, which are divided by the `temperature`.
    """

    finds_entities = True

    def __init__(self, settings: Dict[str, Any], types: List[str], temperature: float) -> None:
        self.labels = types
        """The types of entities that it can predict."""
        self.max_length: int = settings["max_length"]
        self._none_bias: float = settings["none_bias"]
        self._min_probability: float = settings["min_probability"]
        self._levels = [
            SpanLevel(ALGORITHMS[level["type"]], level["threshold"], level["merge_adjacent"])
            for level in settings["levels"]
        ]
        self.scores_shape: Tuple[int, ...] = (self.max_length, 1 + len(types))
        """The shape of the scores of a word."""
        self._temperature = temperature

    def is_excluded(self, types: Sequence[str]) -> List[bool]:
        """Returns for each score of a span if it is of another type of entities than these."""
        return [False, *(type_ not in types for type_ in self.labels)]

    def __call__(self, sentences: Sequence[Object], scores: NDArray[numpy.float32]) -> List[Object]:
        """
        Returns the predictions for sentences, outer entities before inner ones, given the logits of all their words,
        (sum of lengths, n, 1 + L): for each span, at [start, length - 1], of no entity and of each type.
        """
        predictions = []
        for sentence, found in zip(sentences, self._candidates(scores, list(map(num_words, sentences))), strict=True):
            entities = [(entity, entity.score) for entity in decode_levels(found, self._levels)]
            kept = [(entity, score) for entity, score in entities if score >= self._min_probability]
            predictions.append({"words": sentence["words"], "entities": entities_to_json(kept, sentence)})
        return predictions

    def _candidates(self, logits: NDArray[numpy.float32], lengths: Sequence[int]) -> List[List[ScoredEntity]]:
        """Returns the candidates of each sentence, as `nerzoo.modules.span_decoders.span_candidates` does."""
        none = logits[..., 0] + numpy.float32(self._none_bias)
        words, columns = (logits[..., 1:].max(2) > none).nonzero()
        # shape: (S, 1 + L)
        scores = logits[words, columns]
        scores[:, 0] = none[words, columns]
        scores /= self._temperature
        weights = numpy.exp(scores - scores.max(1, keepdims=True))
        probabilities = weights.max(1) / weights.sum(1)
        best = scores[:, 1:].argmax(1)
        bounds = numpy.cumsum([0, *lengths])
        sentences = bounds.searchsorted(words, "right") - 1
        chosen = probabilities > min(level.threshold for level in self._levels)
        values = (sentences, words - bounds[sentences], columns, best, probabilities)
        candidates: List[List[ScoredEntity]] = [[] for _ in lengths]
        rows = zip(*(column[chosen].tolist() for column in values), strict=True)
        for sentence, start, column, label, probability in rows:
            candidates[sentence].append(ScoredEntity(start, start + column + 1, self.labels[label], probability))
        return candidates

from typing import Any, Dict, List, Sequence

import numpy
from numpy.typing import NDArray

from nerzoo.text.span_levels import ALGORITHMS, ScoredEntity, SpanLevel, decode_levels


class SpanDecoding:
    """
    Decodes the logits of spans as `nerzoo.models.fofe_ner.FofeNer` does. Its settings are `max_length`, n; `none_bias`
    and `min_probability`; and `levels`, the `type`, `threshold` and `merge_adjacent` of each. The L `types` of
    entities are in the order of their logits, which are divided by the `temperature`.
    """

    def __init__(self, settings: Dict[str, Any], types: Sequence[str], temperature: float) -> None:
        self.max_length: int = settings["max_length"]
        self._none_bias: float = settings["none_bias"]
        self._min_probability: float = settings["min_probability"]
        self._levels = [
            SpanLevel(ALGORITHMS[level["type"]], level["threshold"], level["merge_adjacent"])
            for level in settings["levels"]
        ]
        self._types = types
        self._temperature = temperature

    def __call__(self, logits: NDArray[numpy.float32], lengths: Sequence[int]) -> List[List[ScoredEntity]]:
        """
        Returns the entities of sentences, outer before inner, given these numbers of words and the logits of all their
        words, (sum of lengths, n, 1 + L): for each span, at [start, length - 1], of no entity and of each type.
        """
        candidates = self._candidates(logits, lengths)
        return [
            [entity for entity in decode_levels(found, self._levels) if entity.score >= self._min_probability]
            for found in candidates
        ]

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
            candidates[sentence].append(ScoredEntity(start, start + column + 1, self._types[label], probability))
        return candidates

"""Fitting of the threshold of a filter of spans, on development data."""

import math
from typing import List, NamedTuple, Sequence

import numpy

from nerzoo.modules.span_decoders import NestedDecoder
from nerzoo.text.annotation import Entity
from nerzoo.text.span_levels import ScoredEntity


class FilterThreshold(NamedTuple):
    """A threshold of a `SpanFilter`, and the share of all spans that it keeps."""

    threshold: float
    share: float


def filter_threshold(
    probabilities: Sequence[numpy.ndarray],
    candidates: Sequence[List[ScoredEntity]],
    gold_entities: Sequence[Sequence[Entity]],
    decoder: NestedDecoder,
    loss: float,
) -> FilterThreshold:
    """
    Finds the highest threshold of a `SpanFilter` that loses at most a share `loss` of the gold entities that a decoder
    finds among all spans. An entity that the model does not find anyway needs no filter that keeps it.

    Each sentence has `probabilities` (T, n) of the filter, at [start, length - 1], which are not a number where there
    is no span; the candidates of the decoder; and gold entities.
    """
    found = [
        sentence[entity.start, entity.end - entity.start - 1]
        for sentence, spans, gold in zip(probabilities, candidates, gold_entities, strict=True)
        # An entity that was merged from several candidates may be longer than any span.
        for entity in set(decoder.decode(spans)).intersection(spans)
        if entity[:3] in gold
    ]
    # The threshold is between the last entity that is lost, or 0, and the next one, so that rounding loses no other.
    lost = math.floor(round(loss * len(found), 9))
    threshold = numpy.array([0.0, *sorted(found)])[lost : lost + 2].mean()
    spans = numpy.concatenate([sentence[~numpy.isnan(sentence)] for sentence in probabilities])
    return FilterThreshold(float(threshold), float((spans >= threshold).mean()))

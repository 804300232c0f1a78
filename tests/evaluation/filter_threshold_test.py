import math

import numpy
import pytest

from nerzoo.evaluation.filter_threshold import filter_threshold
from nerzoo.modules.span_decoders import HighestFirst, NestedDecoder
from nerzoo.text.annotation import Entity
from nerzoo.text.span_levels import ScoredEntity

NUM_SENTENCES, LENGTH, MAX_LENGTH = 40, 9, 3


@pytest.fixture
def sentences():
    """Probabilities of a filter, candidates that do not overlap, and gold entities, of which some are no candidates."""
    random = numpy.random.default_rng(5)
    probabilities = random.random((NUM_SENTENCES, LENGTH, MAX_LENGTH), numpy.float32)
    probabilities[:, -1, 1:] = probabilities[:, -2, 2] = math.nan
    candidates = [
        [ScoredEntity(start, start + 2, "a", score) for start, score in zip((0, 3, 6), random.random(3), strict=True)]
        for _ in range(NUM_SENTENCES)
    ]
    gold = [[Entity(0, 2, "a"), Entity(3, 5, "b"), Entity(6, 8, "a"), Entity(8, 9, "a")]] * NUM_SENTENCES
    return probabilities, candidates, gold


@pytest.mark.parametrize("loss", [0.0, 0.1, 0.25, 1.0])
def test_no_more_is_lost_than_may_be(sentences, loss):
    probabilities, candidates, gold = sentences
    threshold, share = filter_threshold(*sentences, NestedDecoder([HighestFirst(threshold=0.3)]), loss)
    found = [
        grid[entity.start, 1]
        for grid, spans in zip(probabilities, candidates, strict=True)
        for entity in spans
        if entity.score > 0.3 and entity.start in (0, 6)
    ]
    lost = [probability for probability in found if probability < threshold]
    assert len(lost) == pytest.approx(loss * len(found), abs=1) and len(lost) <= loss * len(found)
    is_span = ~numpy.isnan(probabilities)
    assert is_span.sum() == NUM_SENTENCES * (LENGTH * 3 - 3)
    assert share == pytest.approx((probabilities[is_span] >= threshold).mean())


def test_entities_with_equal_probabilities_are_kept_together(sentences):
    probabilities, candidates, gold = sentences
    probabilities[~numpy.isnan(probabilities)] = 0.25
    assert filter_threshold(probabilities, candidates, gold, NestedDecoder([HighestFirst()]), 0.5) == (0.25, 1.0)


def test_a_merged_entity_may_be_longer_than_any_span(sentences):
    probabilities, candidates, gold = sentences
    spans = [[ScoredEntity(0, 3, "a", 0.9), ScoredEntity(3, 6, "a", 0.9), ScoredEntity(7, 8, "a", 0.9)]]
    decoder = NestedDecoder([HighestFirst(merge_adjacent=True)])
    gold = [[Entity(0, 6, "a"), Entity(7, 8, "a")]]
    threshold, _ = filter_threshold(probabilities[:1], spans, gold, decoder, 0.0)
    assert threshold == pytest.approx(probabilities[0, 7, 0] / 2)


def test_where_nothing_is_found_all_spans_are_kept(sentences):
    probabilities, candidates, _ = sentences
    nothing = [[Entity(1, 2, "a")]] * NUM_SENTENCES
    assert filter_threshold(probabilities, candidates, nothing, NestedDecoder([HighestFirst()]), 0.5) == (0.0, 1.0)

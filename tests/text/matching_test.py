import random

import pytest

from nerzoo.text.annotation import Entity
from nerzoo.text.matching import (
    MatchCounter,
    MatchCounts,
    depth_group,
    exact_matches,
    precision_recall_f,
    span_depths,
)


@pytest.mark.parametrize("correct, predicted, gold", [(3, 5, 4), (4, 4, 4), (1, 7, 11)])
@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_is_the_weighted_harmonic_mean(correct, predicted, gold, beta):
    scores = precision_recall_f(correct, predicted, gold, beta=beta)
    precision, recall = correct / predicted, correct / gold
    f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    assert scores == pytest.approx({"precision": precision, "recall": recall, f"f{beta:g}": f}, rel=1e-15)


def test_a_group_may_have_other_correct_predictions_than_gold_items():
    scores = precision_recall_f(1, 4, 5, num_found=3)
    precision, recall = 1 / 4, 3 / 5
    assert scores == pytest.approx(
        {"precision": precision, "recall": recall, "f1": 2 * precision * recall / (precision + recall)}, rel=1e-15
    )
    assert precision_recall_f(0, 0, 5, num_found=3) == {"precision": 0.0, "recall": 0.6, "f1": 0.0}


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 3, 0), (0, 0, 3), (0, 2, 3)])
def test_nothing_over_nothing_is_0(counts):
    assert precision_recall_f(*counts) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_names_are_put_together():
    assert list(precision_recall_f(1, 1, 1, prefix="link_", suffix="-PER")) == [
        "link_precision-PER",
        "link_recall-PER",
        "link_f1-PER",
    ]


OUTER, INNER, OTHER = Entity(0, 3, "LOC"), Entity(0, 1, "PER"), Entity(4, 5, "PER")


def test_entities_match_exactly():
    assert exact_matches([OUTER, Entity(0, 1, "LOC"), Entity(4, 6, "PER")], [OUTER, INNER, OTHER]) == {OUTER}
    assert exact_matches([], [OUTER]) == exact_matches([OUTER], []) == set()


def test_counts_by_label():
    counter = MatchCounter()
    counter.add([OUTER, Entity(4, 5, "LOC")], [OUTER, INNER, OTHER])
    counter.add([INNER], [INNER])
    assert counter.counts == {"LOC": MatchCounts(1, 2, 1, 1), "PER": MatchCounts(1, 1, 3, 1)}
    assert counter.total() == MatchCounts(2, 3, 4, 2)
    assert counter.counts["no entity"] == MatchCounts()
    assert counter.counts["PER"].scores(prefix="a_", suffix="-b") == precision_recall_f(
        1, 1, 3, prefix="a_", suffix="-b"
    )


def test_a_match_may_be_in_another_group_among_gold_than_among_predicted_entities():
    counter = MatchCounter()
    counter.add([INNER], [OUTER, INNER], lambda _, depth: depth)
    assert counter.counts == {0: MatchCounts(1, 1, 1, 0), 1: MatchCounts(0, 0, 1, 1)}
    assert counter.total().scores() == precision_recall_f(1, 1, 2)


def test_counts_of_nothing():
    counter = MatchCounter()
    counter.add([], [])
    assert counter.total() == MatchCounts()
    assert set(counter.total().scores().values()) == {0.0}


def test_counts_equal_plain_counting_on_random_sentences():
    rng, counter, expected = random.Random(0), MatchCounter(), [0, 0, 0, 0]
    for _ in range(53):
        predicted, gold = (
            {Entity(start, start + rng.randint(1, 3), rng.choice("AB")) for start in rng.choices(range(7), k=5)}
            for _ in range(2)
        )
        counter.add(predicted, gold)
        matches = sum(entity in gold for entity in predicted)
        expected = [sum(pair) for pair in zip(expected, (matches, len(predicted), len(gold), matches), strict=True)]
    assert counter.total() == MatchCounts(*expected)
    assert 0 < expected[0] < min(expected[1:3])


def test_equal_spans_are_not_nested():
    chain = {Entity(0, end, "A") for end in range(1, 7)}
    assert span_depths(chain) == {(0, end): 6 - end for end in range(1, 7)}
    assert span_depths([OUTER, Entity(0, 3, "PER")]) == {(0, 3): 0}
    assert [depth_group(depth) for depth in range(6)] == [0, 1, 2, 3, 3, 3]


def nesting_depth(entity, entities):
    """The number of spans that strictly contain an entity."""
    around = {(start, end) for start, end, _ in entities if start <= entity.start and entity.end <= end}
    return len(around - {(entity.start, entity.end)})


def test_depths_equal_plain_counting_on_random_sentences():
    random.seed(5)
    for _ in range(30):
        starts = [random.randrange(7) for _ in range(6)]
        entities = [Entity(start, start + random.randint(1, 4), random.choice("AB")) for start in starts]
        depths = span_depths(entities)
        assert len(depths) == len({entity[:2] for entity in entities})
        for entity in entities:
            assert depths[entity.start, entity.end] == nesting_depth(entity, entities)

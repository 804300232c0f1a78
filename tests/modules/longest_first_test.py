import itertools

import pytest
from helpers.random_candidates import overlap, random_candidates, subsets_without_overlaps

from nerzoo.modules.span_decoders import LongestFirst, ScoredEntity


def algorithm_5(spans, length):
    """Word by word as printed, with its slips mended: see `LongestFirst`. Positions from 0, ends inclusive."""
    best = []
    for i in range(length):
        best.append((i + 1, [(0, i)]) if (0, i) in spans else (0, []))
        for j in range(1, i + 1):
            new_length = best[j - 1][0] + i - j + 1
            if (j, i) in spans and new_length > best[-1][0]:
                best[-1] = new_length, [*best[j - 1][1], (j, i)]
        if i > 0 and best[-1][0] < best[-2][0]:
            best[-1] = best[-2]
    return best[-1][1]


def covered(entities):
    return sum(entity.end - entity.start for entity in entities)


@pytest.mark.parametrize("most", [8, 21])
def test_equals_the_algorithm_on_random_candidates(most):
    for seed in range(500):
        candidates = random_candidates(seed, most=most)
        survivors = LongestFirst(0.0).survivors(candidates)
        spans = [(entity.start, entity.end - 1) for entity in survivors]
        assert spans == algorithm_5({(start, end - 1) for start, end, _, _ in candidates}, 9)
        assert set(survivors) <= set(candidates)


def test_covers_the_most_words_that_can_be_covered():
    for seed in range(300):
        candidates = random_candidates(seed)
        survivors = LongestFirst(0.0).survivors(candidates)
        assert not any(overlap(*pair) for pair in itertools.combinations(survivors, 2))
        assert covered(survivors) == max(map(covered, subsets_without_overlaps(candidates)))


def test_two_shorter_ones_may_cover_more_than_the_longest():
    first, longest, last = ScoredEntity(0, 2, "A", 0.6), ScoredEntity(1, 4, "B", 0.9), ScoredEntity(3, 5, "C", 0.6)
    assert LongestFirst().decode([first, longest, last]) == [first, last]
    assert LongestFirst().decode([first, longest]) == [longest]


def test_scores_count_against_the_threshold_only():
    short, long = ScoredEntity(0, 1, "A", 0.99), ScoredEntity(0, 2, "B", 0.51)
    assert LongestFirst().decode([short, long]) == [long]
    assert LongestFirst(0.6).decode([short, long]) == [short]

import itertools

import pytest
from helpers.random_candidates import overlap, random_candidates

from nerzoo.modules.span_decoders import HighestFirst, ScoredEntity


def algorithm_4(scores, length):
    """Word by word as printed, with the set of the removed filled from the first word to the last; nothing merged."""
    removed = set()
    for k in range(1, length + 1):
        candidates = [(i, j, label, score) for i, j, label, score in scores if i <= k <= j]
        candidates = sorted(candidates, key=lambda candidate: -candidate[3])
        removed |= set(candidates[1:])
    return sorted(set(scores) - removed)


@pytest.mark.parametrize("ties", [False, True])
def test_equals_the_algorithm_on_random_candidates(ties):
    sizes = set()
    for seed in range(500):
        candidates = random_candidates(seed, ties=ties)
        survivors = HighestFirst(0.0).survivors(candidates)
        expected = algorithm_4([(i + 1, j, label, score) for i, j, label, score in candidates], 9)
        assert survivors == [ScoredEntity(i - 1, j, label, score) for i, j, label, score in expected]
        assert not any(overlap(*pair) for pair in itertools.combinations(survivors, 2))
        sizes.add(len(candidates) - len(survivors))
    assert len(sizes) > 5


def test_what_is_removed_by_a_removed_one_stays_removed():
    first, second, third = ScoredEntity(0, 2, "A", 0.6), ScoredEntity(1, 3, "A", 0.7), ScoredEntity(2, 4, "A", 0.8)
    assert HighestFirst().decode([first, second, third]) == [third]
    assert HighestFirst().decode([first, second]) == [second]


def test_one_under_the_threshold_removes_nothing():
    first, second = ScoredEntity(0, 2, "A", 0.65), ScoredEntity(1, 3, "A", 0.6)
    assert HighestFirst(0.62).decode([second, first]) == [first]


def test_of_equal_scores_the_first_start_wins():
    first, second = ScoredEntity(0, 2, "A", 1.0), ScoredEntity(1, 3, "A", 1.0)
    assert HighestFirst().decode([first, second]) == [first]

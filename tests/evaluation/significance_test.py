from itertools import product
from math import sqrt

import numpy
import pytest

from nerzoo.evaluation.significance import paired_significance


def random_counts(num_sentences, seed, good=0.8):
    """Right tags and tags of each sentence; some sentences have none."""
    rng = numpy.random.default_rng(seed)
    lengths = numpy.random.default_rng(0).integers(0, 6, num_sentences)
    return numpy.stack([rng.binomial(lengths, good), lengths], axis=1)


def ratio(rows):
    numerator, denominator = (sum(row[i] for row in rows) for i in (0, 1))
    return numerator / denominator if denominator else 0.0


@pytest.mark.parametrize("num_sentences", [2, 3, 7])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_p_value_is_the_share_of_swaps_that_differ_as_much(num_sentences, seed):
    first, second = random_counts(num_sentences, seed, 0.9), random_counts(num_sentences, seed + 10, 0.5)
    result = paired_significance(first, second)
    observed = ratio(first) - ratio(second)
    assert (result.first, result.second, result.difference) == pytest.approx((ratio(first), ratio(second), observed))

    swaps = list(product([False, True], repeat=num_sentences))
    as_much = 0
    for swap in swaps:
        pairs = [(b, a) if swapped else (a, b) for a, b, swapped in zip(first, second, swap, strict=True)]
        difference = ratio([a for a, _ in pairs]) - ratio([b for _, b in pairs])
        as_much += abs(difference) >= abs(observed) - 1e-12
    assert result.p_value == pytest.approx(as_much / len(swaps))


def test_scores_whose_denominators_differ():
    # 2 correct / (predicted + gold) of two sentences; swapping the first one turns the difference round.
    first, second = numpy.array([[2, 2], [0, 1]]), numpy.array([[0, 3], [0, 1]])
    result = paired_significance(first, second)
    assert (result.first, result.second) == pytest.approx((2 / 3, 0.0))
    assert result.p_value == 1.0
    assert result.first_interval == (0.0, 1.0)


def test_samples_of_many_swaps_agree_with_the_normal_approximation():
    # A sign test: 60 of 100 sentences on which the systems differ are the first one's.
    first = numpy.array([[1, 1]] * 60 + [[0, 1]] * 40 + [[1, 1]] * 300)
    second = numpy.array([[0, 1]] * 60 + [[1, 1]] * 40 + [[1, 1]] * 300)
    result = paired_significance(first, second)
    # 2 P(X >= 60) for X binomial (100, 0.5)
    assert result.p_value == pytest.approx(0.0569, abs=0.008)
    half_width = 1.96 * sqrt(0.9 * 0.1 / 400)
    assert result.first == 0.9
    assert result.first_interval == pytest.approx((0.9 - half_width, 0.9 + half_width), abs=0.006)
    # Paired: the difference varies as one over the 100 does, not as the two scores do.
    half_width = 1.96 * sqrt(100 / 400 - 0.05**2) / sqrt(400)
    assert result.difference_interval == pytest.approx((0.05 - half_width, 0.05 + half_width), abs=0.006)


def test_equal_systems():
    counts = random_counts(50, 1)
    result = paired_significance(counts, counts, num_resamples=99)
    assert (result.difference, result.difference_interval, result.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_sentences_without_anything_score_nothing():
    nothing = numpy.zeros((3, 2), dtype=int)
    result = paired_significance(nothing, nothing)
    assert (result.first, result.first_interval, result.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_the_seed_and_nothing_else_decides_the_resamples():
    first, second = random_counts(40, 1), random_counts(40, 2)
    results = [paired_significance(first, second, num_resamples=99, seed=seed) for seed in (5, 5, 6)]
    assert results[0] == results[1] != results[2]


def test_many_sentences_are_resampled_in_batches():
    first, second = random_counts(701, 1), random_counts(701, 2)
    results = []
    for batch in (2**22, 701 * 3):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("nerzoo.evaluation.significance._BATCH", batch)
            results.append(paired_significance(first, second, num_resamples=20))
    assert results[0][:3] == results[1][:3]
    assert all(0 < result.p_value <= 1 for result in results)

from itertools import product
from math import sqrt

import numpy
import pytest

from nerzoo.evaluation import significance
from nerzoo.evaluation.significance import difference_interval, holm, paired_significance, significances


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


def test_the_difference_and_its_interval_alone_are_the_same():
    rng = numpy.random.default_rng(5)
    first, second = (rng.integers(1, 9, size=(num_runs, 40, 2)) for num_runs in (3, 2))
    found = paired_significance(first, second, num_resamples=500)
    assert difference_interval(first, second, num_resamples=500) == (found.difference, found.difference_interval)


def test_several_systems_are_compared_as_each_by_itself():
    rng = numpy.random.default_rng(6)
    *systems, reference = (rng.integers(1, 9, size=(num_runs, 40, 2)) for num_runs in (3, 1, 3, 2))
    expected = [paired_significance(system, reference, num_resamples=500) for system in systems]
    assert significances(systems, reference, num_resamples=500) == expected


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


@pytest.mark.parametrize(("num_runs", "expected"), [(1, 2 / 10), (2, 1 / 10)])
def test_the_p_value_is_never_zero(num_runs, expected):
    """
    None of the 9 resamples differs as much as the systems, which count as one more: (0 + 1) / (9 + 1). For single runs
    SciPy returns twice the share of one tail.
    """
    first, second = numpy.array([[[1, 1]] * 50] * num_runs), numpy.array([[[0, 1]] * 50] * num_runs)
    assert paired_significance(first, second, num_resamples=9).p_value == pytest.approx(expected)


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
            patch.setattr(significance, "_SWAPPED", batch)
            patch.setattr(significance, "_DRAWN", batch)
            results.append(paired_significance(first, second, num_resamples=20))
    # All but the p value, since other sentences are swapped.
    assert results[0][:-1] == results[1][:-1]
    assert all(0 < result.p_value <= 1 for result in results)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def drawn_means(scores):
    """The means of R - 1 of R scores, of every way to draw them with replacement."""
    return [mean(drawn) for drawn in product(scores, repeat=max(len(scores) - 1, 1))]


def share_that_differs_as_much(first, second):
    """Of all swaps of sentences and all draws of runs."""
    # Of each sentence the sum over the runs, for as many runs in either system.
    pooled = [sum(system) / len(system) for system in (first, second)]
    scores = [[ratio(run) for run in system] for system in (first, second)]
    observed = ratio(pooled[0]) - ratio(pooled[1])
    as_much, number = 0, 0
    for swap in product([False, True], repeat=len(pooled[0])):
        pairs = [(b, a) if swapped else (a, b) for a, b, swapped in zip(*pooled, swap, strict=True)]
        swapped = ratio([a for a, _ in pairs]) - ratio([b for _, b in pairs])
        for of_first, of_second in product(*map(drawn_means, scores)):
            moved = (of_first - mean(scores[0])) - (of_second - mean(scores[1]))
            as_much += abs(swapped + moved) >= abs(observed) - 1e-12
            number += 1
    return as_much / number


@pytest.mark.parametrize("num_first, num_second", [(2, 2), (3, 2), (1, 3)])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_p_value_of_several_runs_is_that_of_all_swaps_and_draws_of_runs(num_first, num_second, seed):
    num_sentences = 4
    first = [random_counts(num_sentences, seed + run, 0.9) for run in range(num_first)]
    second = [random_counts(num_sentences, seed + 10 + run, 0.6) for run in range(num_second)]
    result = paired_significance(numpy.stack(first), numpy.stack(second), num_resamples=40000)
    scores = [[ratio(run) for run in system] for system in (first, second)]
    assert (result.first_scores, result.second_scores) == (pytest.approx(scores[0]), pytest.approx(scores[1]))
    assert result.difference == pytest.approx(mean(scores[0]) - mean(scores[1]))

    assert result.p_value == pytest.approx(share_that_differs_as_much(first, second), abs=0.012)


def test_seeds_that_are_far_better_or_far_worse_than_others_are_told_apart():
    # Four sentences that are all alike: the scores of two runs are the same, that of the third is another.
    first, second = ([numpy.tile([right, 10], (4, 1)) for right in system] for system in ((0, 3, 0), (2, 2, 8)))
    expected = share_that_differs_as_much(first, second)
    result = paired_significance(numpy.stack(first), numpy.stack(second), num_resamples=40000)
    assert result.p_value == pytest.approx(expected, abs=0.012)


def test_the_interval_is_that_of_all_samples_of_sentences_and_runs():
    runs = [random_counts(3, seed) for seed in (1, 2, 4)]
    other = random_counts(3, 7, 0.5)
    result = paired_significance(numpy.stack(runs), other, num_resamples=40000)
    first, differences = [], []
    for sentences in product(range(3), repeat=3):
        scores = [ratio(run[list(sentences)]) for run in runs]
        for drawn in drawn_means(scores):
            first.append(drawn)
            differences.append(drawn - ratio(other[list(sentences)]))
    for interval, values in ((result.first_interval, first), (result.difference_interval, differences)):
        assert interval == pytest.approx(numpy.quantile(values, [0.025, 0.975]), abs=0.05)


def test_the_variance_over_runs_is_the_unbiased_one():
    # Sentences that are all alike: there are only runs.
    rates = numpy.array([60, 70, 80, 75, 65])
    runs = numpy.stack([numpy.tile([rate, 100], (200, 1)) for rate in rates])
    result = paired_significance(runs, numpy.tile([70, 100], (200, 1)), num_resamples=4000)
    half_width = 1.96 * numpy.std(rates / 100, ddof=1) / sqrt(len(rates))
    low, high = result.first_interval
    assert (high - low) / 2 == pytest.approx(half_width, rel=0.12)


def test_a_lucky_seed_makes_a_difference_doubtful():
    baseline = numpy.stack([random_counts(400, 20 + run, 0.7) for run in range(3)])
    runs = [random_counts(400, 40 + run, 0.7) for run in range(2)]
    lucky = random_counts(400, 50, 0.95)
    result = paired_significance(numpy.stack([*runs, lucky]), baseline, num_resamples=999)
    together = paired_significance(sum(runs) + lucky, baseline.sum(0), num_resamples=999)
    assert result.difference == pytest.approx(together.difference)
    assert together.p_value < 0.01 < 0.1 < result.p_value
    assert together.difference_interval[0] > 0 > result.difference_interval[0]
    # As good as that with all seeds, it is there.
    steady = paired_significance(numpy.stack([random_counts(400, seed, 0.8) for seed in (1, 2, 3)]), baseline)
    assert steady.p_value < 0.001 and steady.difference_interval[0] > 0


def test_more_runs_of_one_system_weigh_no_more():
    first = numpy.stack([random_counts(50, seed) for seed in (1, 2)])
    second = random_counts(50, 3)
    once = paired_significance(first, second, num_resamples=99)
    twice = paired_significance(first.repeat(2, axis=0), second, num_resamples=99)
    assert twice.difference == pytest.approx(once.difference)
    assert twice.second_interval == pytest.approx(once.second_interval, abs=0.02)


def test_runs_that_predict_the_same():
    counts = numpy.stack([random_counts(50, 1)] * 3)
    result = paired_significance(counts, counts, num_resamples=99)
    assert (result.difference, result.difference_interval, result.p_value) == (0.0, (0.0, 0.0), 1.0)


@pytest.mark.parametrize(
    "p_values, corrected",
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.6, 0.9, 0.01], [1.0, 1.0, 0.03]),
        # The example of a decreasing product, which the correction does not follow.
        ([0.02, 0.021], [0.04, 0.04]),
    ],
)
def test_holms_correction(p_values, corrected):
    assert holm(p_values) == pytest.approx(corrected)

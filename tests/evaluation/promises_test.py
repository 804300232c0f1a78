import math

import numpy
import pytest
from scipy.stats import beta

from nerzoo.evaluation.calibrate import conformal_threshold, precision_threshold


def test_the_conformal_threshold_is_a_rank():
    scores = numpy.array([0.5, 0.1, math.inf, 0.3, 0.2, 0.4, 0.7, 0.6, 0.8])
    # Of nine, the ninth for 0.9 and the fifth for 0.5.
    assert conformal_threshold(scores, 0.9) == math.inf
    assert conformal_threshold(scores, 0.5) == 0.5
    assert conformal_threshold(scores, 0.8) == 0.8
    assert conformal_threshold(scores, 0.01) == 0.1
    assert conformal_threshold(scores, 0.95) == math.inf
    assert conformal_threshold(numpy.array([]), 0.5) == math.inf
    # The last of all.
    assert conformal_threshold(numpy.array([0.5, 0.1]), 0.6) == 0.5


@pytest.mark.parametrize("coverage", [0.7, 0.9])
def test_the_coverage_of_new_scores_is_that_of_a_beta_distribution(coverage):
    """Vovk (2012): given n scores it is that of the rank, Beta(rank, n + 1 - rank)."""
    random = numpy.random.default_rng(5)
    num_scores, found = 99, []
    for _ in range(400):
        threshold = conformal_threshold(random.exponential(size=num_scores), coverage)
        found.append(1 - math.exp(-threshold))
    expected = beta(100 * coverage, 100 * (1 - coverage))
    assert numpy.mean(found) == pytest.approx(coverage, abs=4 * expected.std() / 20)
    assert numpy.std(found) == pytest.approx(expected.std(), rel=0.2)


def test_the_lowest_threshold_that_is_precise_enough():
    probabilities = numpy.array([0.9, 0.5, 0.8, 0.7, 0.6, 0.3])
    correct = numpy.array([True, False, False, True, True, True])
    # In order: 1, 1/2, 2/3, 3/4, 3/5, 4/6.
    assert precision_threshold(probabilities, correct, 0.75) == pytest.approx(0.55)
    assert precision_threshold(probabilities, correct, 0.8) == pytest.approx(0.85)
    assert precision_threshold(probabilities, correct, 0.66) == 0.0
    assert precision_threshold(probabilities, ~correct, 0.75) is None
    assert precision_threshold(numpy.array([]), numpy.array([], bool), 0.5) is None


def test_equal_probabilities_are_kept_together():
    probabilities, correct = numpy.array([0.9, 0.5, 0.5, 0.4]), numpy.array([True, True, False, False])
    assert precision_threshold(probabilities, correct, 0.9) == pytest.approx(0.7)
    assert precision_threshold(probabilities, correct, 0.6) == pytest.approx(0.45)
    assert precision_threshold(probabilities[:3], correct[:3], 0.9) == pytest.approx(0.7)
    # A probability of nothing is not above a threshold of nothing.
    assert precision_threshold(numpy.array([0.0, 0.0]), numpy.array([True, False]), 0.5) == 0.0

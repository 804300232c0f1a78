import numpy
import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.reliability import reliability


def test_bins_and_scores_are_those_computed_by_hand():
    result = reliability(numpy.array([0.9, 0.8, 0.3, 0.6]), numpy.array([True, False, False, True]), num_bins=2)
    low, high = result.bins
    assert (low.lower, low.upper, low.count) == (0.0, 0.5, 1)
    assert (low.mean_probability, low.accuracy) == (pytest.approx(0.3), 0.0)
    assert (high.lower, high.upper, high.count) == (0.5, 1.0, 3)
    assert (high.mean_probability, high.accuracy) == (pytest.approx(2.3 / 3), pytest.approx(2 / 3))
    assert result.expected_calibration_error == pytest.approx((0.3 + 0.3) / 4)
    assert result.brier_score == pytest.approx((0.01 + 0.64 + 0.09 + 0.16) / 4)


def test_scores_follow_their_definitions():
    random = numpy.random.default_rng(3)
    probabilities, num_bins = random.random(997), 7
    correct = random.random(997) < probabilities**2
    result = reliability(probabilities, correct, num_bins)
    error = 0.0
    for number, found in enumerate(result.bins):
        inside = [
            (p, is_correct)
            for p, is_correct in zip(probabilities, correct, strict=True)
            if number / num_bins < p <= (number + 1) / num_bins
        ]
        assert found.count == len(inside)
        confidence = sum(p for p, _ in inside) / len(inside)
        accuracy = sum(is_correct for _, is_correct in inside) / len(inside)
        assert (found.mean_probability, found.accuracy) == (pytest.approx(confidence), pytest.approx(accuracy))
        error += len(inside) / len(probabilities) * abs(accuracy - confidence)
    assert result.expected_calibration_error == pytest.approx(error)


def test_ends_of_bins_belong_to_the_bin_below_and_zero_to_the_first():
    result = reliability(numpy.array([0.0, 0.1, 0.3, 1.0, 1.0]), numpy.array([False, False, True, True, False]))
    assert [found.count for found in result.bins] == [2, 0, 1, 0, 0, 0, 0, 0, 0, 2]
    assert result.bins[-1].mean_probability == 1.0
    assert result.bins[1].mean_probability is None and result.bins[1].accuracy is None


def test_a_single_bin_has_everything():
    (found,) = reliability(numpy.array([0.0, 0.25, 1.0]), numpy.array([False, True, True]), num_bins=1).bins
    assert (found.lower, found.upper, found.count, found.accuracy) == (0.0, 1.0, 3, pytest.approx(2 / 3))


def test_no_cases_have_no_scores():
    result = reliability(numpy.array([]), numpy.array([], dtype=bool))
    assert result.expected_calibration_error is None and result.brier_score is None
    assert [found.count for found in result.bins] == [0] * 10


@pytest.mark.parametrize(
    ("probabilities", "correct", "num_bins", "message"),
    [
        ([0.5], [True, False], 10, r"found probabilities of shape \(1,\) and correct of shape \(2,\)"),
        ([[0.5]], [[True]], 10, r"expected one \(N,\) for both"),
        ([0.5, 1.5], [True, True], 10, "found the probability 1.5, expected one from 0 to 1"),
        ([float("nan")], [True], 10, "found the probability nan"),
        ([0.5], [True], 0, "found 0 bins, expected one at least"),
    ],
)
def test_bad_input_is_refused(probabilities, correct, num_bins, message):
    with pytest.raises(ConfigurationError, match=message):
        reliability(numpy.array(probabilities), numpy.array(correct), num_bins)

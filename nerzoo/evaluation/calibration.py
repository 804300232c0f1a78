"""How far probabilities can be relied on: what is given 0.8 should be right in 8 cases of 10."""

from dataclasses import dataclass
from typing import List, Optional

import numpy
from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class ReliabilityBin:
    """What has a probability above `lower` and up to `upper`; of no cases there is neither mean nor accuracy."""

    lower: float
    upper: float
    mean_probability: Optional[float]
    accuracy: Optional[float]
    """The share of what is correct, to be compared with `mean_probability`."""
    count: int


@dataclass(frozen=True)
class Reliability:
    """
    The bins of a reliability diagram, in order of probability, and two numbers of it, `None` where there are no cases.

    `expected_calibration_error` is the difference of mean probability and accuracy in a bin, without its sign, averaged
    over all cases (Guo, Pleiss, Sun and Weinberger, "On Calibration of Modern Neural Networks", 2017, equation 3): 0 is
    best. `brier_score` is the mean of (p - 1)^2 of what is correct and p^2 of what is not (Brier, "Verification of
    Forecasts Expressed in Terms of Probability", 1950, for one of his two classes): 0 is best; it does not depend on
    bins.
    """

    bins: List[ReliabilityBin]
    expected_calibration_error: Optional[float]
    brier_score: Optional[float]


def reliability(probabilities: numpy.ndarray, correct: numpy.ndarray, num_bins: int = 10) -> Reliability:
    """
    Compares the probabilities of predictions, of entities say, with how many of them are correct.

    # Parameters

    probabilities : `numpy.ndarray`
        Shape (N,), from 0 to 1. N may be 0.
    correct : `numpy.ndarray`
        Shape (N,), of booleans: whether each prediction is correct.
    num_bins : `int`, optional (default = `10`)
        The number of bins, all of the same width; each has its upper end, and the first 0, too.

    # Raises

    `ConfigurationError` where shapes differ, a probability is not from 0 to 1, or there is no bin.
    """
    probabilities, correct = numpy.asarray(probabilities, numpy.float64), numpy.asarray(correct, bool)
    if probabilities.ndim != 1 or probabilities.shape != correct.shape:
        raise ConfigurationError(
            f"found probabilities of shape {probabilities.shape} and correct of shape {correct.shape}, expected one "
            "(N,) for both"
        )
    if num_bins < 1:
        raise ConfigurationError(f"found {num_bins} bins, expected one at least")
    strange = probabilities[~((probabilities >= 0) & (probabilities <= 1))]
    if len(strange):
        raise ConfigurationError(f"found the probability {strange[0]:g}, expected one from 0 to 1")
    edges = numpy.arange(num_bins + 1) / num_bins
    place = numpy.searchsorted(edges[1:], probabilities)
    counts = numpy.bincount(place, minlength=num_bins)
    expected = numpy.bincount(place, probabilities, minlength=num_bins)
    observed = numpy.bincount(place, correct, minlength=num_bins)
    columns = (column.tolist() for column in (edges[:-1], edges[1:], expected, observed, counts))
    bins = [
        ReliabilityBin(lower, upper, of_all / count if count else None, right / count if count else None, count)
        for lower, upper, of_all, right, count in zip(*columns, strict=True)
    ]
    if not len(probabilities):
        return Reliability(bins, None, None)
    error = numpy.abs(expected - observed).sum() / len(probabilities)
    return Reliability(bins, float(error), float(numpy.mean((probabilities - correct) ** 2)))

"""Reliability of probabilities: 8 of 10 predictions with a probability of 0.8 should be correct."""

from dataclasses import dataclass
from typing import List, Optional

import numpy
from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class ReliabilityBin:
    """The predictions with a probability above `lower` and up to `upper`."""

    lower: float
    upper: float
    mean_probability: Optional[float]
    """`None` for an empty bin."""
    accuracy: Optional[float]
    """The share of correct predictions, to be compared with `mean_probability`. `None` for an empty bin."""
    count: int


@dataclass(frozen=True)
class Reliability:
    """
    The bins of a reliability diagram, in order of probability, and two scores, `None` without predictions.

    `expected_calibration_error` is the absolute difference of mean probability and accuracy in a bin, averaged over all
    predictions (Guo, Pleiss, Sun and Weinberger, "On Calibration of Modern Neural Networks", 2017, equation 3): 0 is
    best. `brier_score` is the mean of (p - 1)^2 for correct predictions and p^2 for wrong ones (Brier, "Verification of
    Forecasts Expressed in Terms of Probability", 1950, for one of his two classes): 0 is best; it does not depend on
    bins.
    """

    bins: List[ReliabilityBin]
    expected_calibration_error: Optional[float]
    brier_score: Optional[float]


def reliability(probabilities: numpy.ndarray, correct: numpy.ndarray, num_bins: int = 10) -> Reliability:
    """
    Compares the probabilities of N predictions, such as entities, with the share of correct ones. Bins have the same
    width. A bin includes its upper end, and the first bin includes 0. Raises `ConfigurationError` where shapes differ,
    a probability is not from 0 to 1, or there is no bin.
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
        ReliabilityBin(lower, upper, total / count if count else None, right / count if count else None, count)
        for lower, upper, total, right, count in zip(*columns, strict=True)
    ]
    if not len(probabilities):
        return Reliability(bins, None, None)
    error = numpy.abs(expected - observed).sum() / len(probabilities)
    return Reliability(bins, float(error), float(numpy.mean((probabilities - correct) ** 2)))

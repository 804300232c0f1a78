"""Thresholds of scores that promise something, fitted on development data."""

import math
from typing import Optional

import numpy


def conformal_threshold(scores: numpy.ndarray, coverage: float) -> float:
    """
    The threshold of split conformal prediction (Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World",
    2005; Romano, Sesia and Candes, "Classification with Valid and Adaptive Coverage", 2020): where the score of a new
    sentence and these are exchangeable, it is no higher than the threshold with a probability of `coverage` at least,
    and, without ties, of `coverage` + 1 / (N + 1) at most.

    # Parameters

    scores : `numpy.ndarray`
        Shape (N,). Infinite ones are above every threshold.
    coverage : `float`
        From 0 to 1.

    # Returns

    `float`
        The ceil((N + 1) coverage)-th smallest score; infinite where there are too few.
    """
    # Of what is a whole number on paper, 0.9 * 10 say.
    rank = math.ceil(round((len(scores) + 1) * coverage, 9))
    return float(numpy.sort(scores)[max(rank, 1) - 1]) if rank <= len(scores) else math.inf


def precision_threshold(probabilities: numpy.ndarray, correct: numpy.ndarray, precision: float) -> Optional[float]:
    """
    The lowest threshold such that of the predictions above it a share of `precision` is correct.

    # Parameters

    probabilities : `numpy.ndarray`
        Shape (N,).
    correct : `numpy.ndarray`
        Shape (N,), of booleans.
    precision : `float`

    # Returns

    `float`, optional
        A number between two of the probabilities, or 0, where all predictions are that precise; `None` where no
        threshold is enough.
    """
    order = numpy.argsort(-probabilities, kind="stable")
    ordered = numpy.append(probabilities[order], 0.0)
    share = numpy.cumsum(correct[order]) / numpy.arange(1, len(order) + 1)
    # Predictions of the same probability are kept or left out together.
    is_last = ordered[:-1] > ordered[1:]
    is_last[-1:] = True
    enough = numpy.flatnonzero(is_last & (share >= precision))
    if not len(enough):
        return None
    last = enough[-1]
    return 0.0 if last == len(order) - 1 else float(ordered[last : last + 2].mean())

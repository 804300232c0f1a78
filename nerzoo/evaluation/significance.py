"""Tests whether two systems differ by more than chance on the same sentences."""

from typing import Any, Callable, Dict, NamedTuple, Tuple

import numpy
from scipy.stats import bootstrap, permutation_test

CONFIDENCE_LEVEL = 0.95

# The number of sentences, over all resamples, that are looked up at a time.
_BATCH = 2**22

Interval = Tuple[float, float]


class Significance(NamedTuple):
    """The scores of two systems and their difference, the first less the second; confidence intervals; the p value."""

    first: float
    second: float
    difference: float
    first_interval: Interval
    second_interval: Interval
    difference_interval: Interval
    p_value: float


def paired_significance(
    first: numpy.ndarray, second: numpy.ndarray, num_resamples: int = 9999, seed: int = 13370
) -> Significance:
    """
    Compares scores that are ratios of sums over sentences, such as F1, 2 correct / (predicted + gold).

    The p value is that of approximate randomisation (Yeh, 2000), two-sided: how often the systems differ as much, in
    either direction, where their predictions for a sentence are swapped at random; it is exact where there are no more
    ways to swap than `num_resamples`. The confidence intervals are percentiles of a bootstrap: as many samples of
    sentences, with replacement and the same for both systems.

    # Parameters

    first, second : `numpy.ndarray`, (N, 2)
        Numerator and denominator of each of the sentences, N > 1. A score of 0 / 0 is 0.
    num_resamples : `int`, optional (default = `9999`)
        How many times sentences are drawn, for the randomisation and for the bootstrap.
    seed : `int`, optional (default = `13370`)
        Decides which sentences are drawn, and nothing else.
    """
    num_sentences = len(first)
    # shape: (2N,) each
    numerators, denominators = numpy.concatenate([first, second]).T

    def score(sentences: numpy.ndarray, axis: int) -> numpy.ndarray:
        return numerators[sentences].sum(axis) / numpy.maximum(denominators[sentences].sum(axis), 1)

    def difference(of_first: numpy.ndarray, of_second: numpy.ndarray, axis: int) -> numpy.ndarray:
        return score(of_first, axis) - score(of_second, axis)

    # Sentences are resampled by their positions, so that what belongs together stays together.
    positions = numpy.arange(2 * num_sentences).reshape(2, num_sentences)
    options: Dict[str, Any] = {
        "n_resamples": num_resamples,
        "batch": max(_BATCH // num_sentences, 1),
        "vectorized": True,
    }
    test = permutation_test(positions, difference, permutation_type="samples", axis=-1, rng=seed, **options)

    def interval(data: numpy.ndarray, statistic: Callable[..., numpy.ndarray]) -> Interval:
        result = bootstrap(
            data,
            statistic,
            paired=True,
            axis=-1,
            rng=seed,
            confidence_level=CONFIDENCE_LEVEL,
            method="percentile",
            **options,
        )
        return float(result.confidence_interval.low), float(result.confidence_interval.high)

    return Significance(
        float(score(positions[0], -1)),
        float(score(positions[1], -1)),
        float(test.statistic),
        interval(positions[:1], score),
        interval(positions[1:], score),
        interval(positions, difference),
        float(test.pvalue),
    )

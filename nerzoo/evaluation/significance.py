"""Significance of the difference between two systems on the same sentences, each trained with one seed or several."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.evaluation.gold import METRICS, document_sums, read_gold, read_with_gold, sentence_counts

CONFIDENCE_LEVEL = 0.95
SIGNIFICANCE_LEVEL = 0.05

# The numbers of sentences, over all resamples, that are swapped and drawn at a time. What is drawn fits into the
# cache of a processor. Other numbers swap other sentences, but draw the same ones.
_SWAPPED = 2**22
_DRAWN = 2**18

# Smaller differences are due to rounding.
_TOLERANCE = 1e-12

Interval = Tuple[float, float]


class Significance(NamedTuple):
    """The mean scores of two systems and their difference, the first less the second; intervals; the p value."""

    first: float
    second: float
    difference: float
    first_scores: Tuple[float, ...]
    """The score of each run."""
    second_scores: Tuple[float, ...]
    first_interval: Interval
    second_interval: Interval
    difference_interval: Interval
    p_value: float

    def difference_json(self) -> Dict[str, Any]:
        """Returns the difference, its interval and the p value as reports have them."""
        interval = list(self.difference_interval)
        return {"difference": self.difference, "confidence_interval": interval, "p_value": self.p_value}


def paired_significance(
    first: numpy.ndarray, second: numpy.ndarray, num_resamples: int = 9999, seed: int = 13370
) -> Significance:
    """
    Compares two systems by scores that are ratios of sums over sentences, such as F1, 2 correct / (predicted + gold). A
    system has one run or several runs, which differ in their seeds; its score is the mean of the scores of its runs.

    Sentences and seeds are both samples, and both are resampled:

    - The p value is that of approximate randomisation (Yeh, 2000), two-sided. If the systems do not differ, the output
      of either for a sentence could as well be the other's, whatever the seed: the counts of a sentence, summed over
      the runs of a system, are swapped at random. To allow for other seeds, the difference after swapping is increased
      by the change of the mean scores under other seeds: the mean of R - 1 of the R runs of each system, drawn with
      replacement, less the mean of all R. The p value is the share of the sums that are as far from zero as the
      difference of the systems.
    - The confidence intervals are percentiles of a bootstrap: each resample draws N sentences with replacement, the
      same for all runs, and R - 1 of the R runs of each system.

    With R - 1 draws the variance of their mean is the unbiased estimate s^2 / R of the variance of the mean of R runs;
    with R draws it would be (R - 1) / R times as large. The interaction of a run with a sentence counts for both the
    seeds and the sentences, so that p values and intervals are rather too large. Three seeds or fewer give a rough
    estimate of the variance over seeds. One seed gives none: then sentences alone are drawn, and p value and intervals
    are about these two runs. The p value is then exact if there are at most `num_resamples` ways to swap.

    `first` and `second`, (R, N, 2), or (N, 2) for one run, are numerator and denominator for each of N > 1 sentences in
    each of the runs; the systems may differ in R. A score of 0 / 0 is 0. The randomisation and the bootstrap have
    `num_resamples` and a `seed` each.
    """
    return significances([first], second, num_resamples, seed)[0]


def significances(
    systems: Sequence[numpy.ndarray], reference: numpy.ndarray, num_resamples: int = 9999, seed: int = 13370
) -> List[Significance]:
    """
    Compares each of several systems with a reference, which is the second one, as `paired_significance` does for two
    and with the same results; the sentences of the bootstrap are drawn once for all.
    """
    second, *firsts = (counts.reshape(-1, *counts.shape[-2:]) for counts in (reference, *systems))
    second_resampled, *resampled = _bootstrap([second, *firsts], num_resamples, seed)
    # shape: (R,)
    second_scores = _ratio(second.sum(1))
    found = []
    for first, first_resampled in zip(firsts, resampled, strict=True):
        first_scores = _ratio(first.sum(1))
        means = float(first_scores.mean()), float(second_scores.mean())
        found.append(
            Significance(
                *means,
                means[0] - means[1],
                tuple(first_scores.tolist()),
                tuple(second_scores.tolist()),
                _interval(first_resampled),
                _interval(second_resampled),
                _interval(first_resampled - second_resampled),
                _p_value([first, second], [first_scores, second_scores], num_resamples, numpy.random.default_rng(seed)),
            )
        )
    return found


def score_interval(counts: numpy.ndarray, num_resamples: int = 9999, seed: int = 13370) -> Interval:
    """
    Returns the confidence interval of the score of one system, a ratio of sums over sentences, given its `counts`,
    (R, N, 2), or (N, 2) for one run, as in `paired_significance`: percentiles of its bootstrap.
    """
    runs = counts.reshape(-1, *counts.shape[-2:])
    return _interval(_bootstrap([runs], num_resamples, seed)[0])


def difference_interval(
    first: numpy.ndarray, second: numpy.ndarray, num_resamples: int = 9999, seed: int = 13370
) -> Tuple[float, Interval]:
    """
    Returns the difference of two systems and its confidence interval, as `paired_significance` does, without the p
    value, which takes longer.
    """
    systems = [counts.reshape(-1, *counts.shape[-2:]) for counts in (first, second)]
    means = [float(_ratio(counts.sum(1)).mean()) for counts in systems]
    second_resampled, first_resampled = _bootstrap(systems[::-1], num_resamples, seed)
    return means[0] - means[1], _interval(first_resampled - second_resampled)


def holm(p_values: Sequence[float]) -> List[float]:
    """
    Corrects the p values of several tests: each becomes the lowest level at which its test still rejects, if the
    probability of any false rejection among all tests must not exceed that level (Holm, "A Simple Sequentially
    Rejective Multiple Test Procedure", 1979).
    """
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def _ratio(counts: numpy.ndarray) -> numpy.ndarray:
    """Turns sums (..., 2) of numerators and denominators into scores (...)."""
    return counts[..., 0] / numpy.where(counts[..., 1] == 0, 1, counts[..., 1])


def _p_value(
    systems: List[numpy.ndarray], scores: List[numpy.ndarray], num_resamples: int, rng: numpy.random.Generator
) -> float:
    # Imported here, since the import is slow and only the comparison of systems needs it.
    from scipy.stats import permutation_test

    # Means over runs, not sums, so that a system with more runs has no more weight. shape: (2, N, 2)
    counts = numpy.stack([system.mean(0) for system in systems])
    # Swapping changes nothing where both have the same counts; most sentences are so. SciPy expects two or more.
    differs = (counts[0] != counts[1]).any(-1)
    swappable, fixed = numpy.split(numpy.argsort(~differs, kind="stable"), [max(int(differs.sum()), 2)])
    num_sentences = len(swappable)
    same = counts[0, fixed].sum(0)
    # shape: (2M,) each
    numerators, denominators = counts[:, swappable].reshape(-1, 2).T

    def score(sentences: numpy.ndarray, axis: int) -> numpy.ndarray:
        sums = numpy.stack([numerators[sentences].sum(axis), denominators[sentences].sum(axis)], -1)
        return _ratio(sums + same)

    def difference(first: numpy.ndarray, second: numpy.ndarray, axis: int) -> numpy.ndarray:
        return score(first, axis) - score(second, axis)

    # Positions are swapped, so that the numerator and denominator of a sentence stay together.
    test = permutation_test(
        numpy.arange(2 * num_sentences).reshape(2, num_sentences),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=num_resamples,
        batch=max(_SWAPPED // num_sentences, 1),
        axis=-1,
        rng=rng,
    )
    if all(len(run_scores) == 1 for run_scores in scores):
        return float(test.pvalue)
    swapped = rng.choice(test.null_distribution, num_resamples)
    moved = [_drawn_mean(run_scores[None], num_resamples, rng) - run_scores.mean() for run_scores in scores]
    as_far = numpy.abs(swapped + moved[0] - moved[1]) >= abs(test.statistic) - _TOLERANCE
    return float((as_far.sum() + 1) / (num_resamples + 1))


def _bootstrap(systems: List[numpy.ndarray], num_resamples: int, seed: int) -> List[numpy.ndarray]:
    """
    Returns the mean score of each system in each resample, (`num_resamples`,) each. All have the same sentences. The
    runs of the first system are drawn independently of those of the others, each of which is compared with it alone.
    """
    num_sentences = systems[0].shape[1]
    size = max(_DRAWN // num_sentences, 1)
    sentences, *runs = (numpy.random.default_rng([seed, min(place, 2)]) for place in range(1 + len(systems)))
    means: List[List[numpy.ndarray]] = [[] for _ in systems]
    for start in range(0, num_resamples, size):
        batch = min(size, num_resamples - start)
        drawn = sentences.integers(num_sentences, size=(batch, num_sentences))
        drawn += num_sentences * numpy.arange(batch)[:, None]
        # How often each sentence is drawn.
        weights = numpy.bincount(drawn.ravel(), minlength=batch * num_sentences).astype(float)
        for system_means, counts, rng in zip(means, systems, runs, strict=True):
            # shape: (batch, R, 2)
            sums = numpy.tensordot(weights.reshape(batch, num_sentences), counts, axes=(1, 1))
            system_means.append(_drawn_mean(_ratio(sums), batch, rng))
    return [numpy.concatenate(system_means) for system_means in means]


def _drawn_mean(scores: numpy.ndarray, num_resamples: int, rng: numpy.random.Generator) -> numpy.ndarray:
    """
    Returns the mean of R - 1 of R scores, (`num_resamples` or 1, R), drawn with replacement for each resample; for
    R = 1, the score itself.
    """
    num_runs = scores.shape[1]
    drawn = rng.integers(num_runs, size=(num_resamples, max(num_runs - 1, 1)))
    return numpy.take_along_axis(numpy.broadcast_to(scores, (num_resamples, num_runs)), drawn, 1).mean(1)


def _interval(resampled: numpy.ndarray) -> Interval:
    tail = (1 - CONFIDENCE_LEVEL) / 2
    low, high = numpy.quantile(resampled, [tail, 1 - tail])
    return float(low), float(high)


def compare(
    first: Union[str, List[str]],
    second: Union[str, List[str]],
    metric: str = "f1",
    gold_file: Optional[str] = None,
    config_file: Optional[str] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
    sclite_weights: bool = False,
    by_document: bool = False,
) -> Dict[str, Any]:
    """
    Scores the predictions of two systems for the same sentences, with confidence intervals and the p value of their
    difference. `first` and `second` are the file of predictions of each system, or the files of its runs, which differ
    in their seeds, see `nerzoo.evaluation.significance`; `metric` is one of `METRICS`; `gold_file` holds the gold
    annotation, unless the predictions do, and `config_file` is a configuration for `read_gold`. With `by_document`,
    documents are resampled in place of sentences: for systems whose sentences inform each other.

    Returns `metric`, `num_sentences`, `p_value`, with `by_document` also `num_documents`, and under `first`, `second`
    and `difference` a `score` and its `confidence_interval`; for systems also `files`, the `scores` of each, of which
    `score` is the mean, and their sample `standard_deviation`, `None` for a single file.
    """
    if (gold_file is None) != (config_file is None):
        raise ConfigurationError("found one of --gold and --config, expected both or neither")
    if sclite_weights and metric != "cer":
        raise ConfigurationError(f"found --sclite-weights and --metric {metric}, expected --metric cer")
    if num_resamples < 1:
        raise ConfigurationError(f"found --num-resamples {num_resamples}, expected at least 1")
    paths = [[files] if isinstance(files, str) else list(files) for files in (first, second)]
    for files in paths:
        repeated = sorted({path for path in files if files.count(path) > 1})
        if repeated or not files:
            found = f"{repeated[0]} twice" if repeated else "no file"
            raise ConfigurationError(f"found {found} for a system, expected the predictions of each of its runs once")
    kind = METRICS[metric]
    gold = None if gold_file is None or config_file is None else read_gold(gold_file, config_file, kind)
    runs = read_with_gold(sum(paths, []), kind, gold, gold_file or "")
    reference_path, reference = next(iter(runs.items()))
    # shape: (R, N, 2) each
    counts = [numpy.stack([sentence_counts(metric, runs[path], sclite_weights) for path in files]) for files in paths]
    if by_document:
        counts = [document_sums(system_counts, reference) for system_counts in counts]
    units = counts[0].shape[1]
    if units < 2:
        raise format_error(reference_path, f"{units} {'documents' if by_document else 'sentences'}", "at least 2")
    result = paired_significance(counts[0], counts[1], num_resamples, seed)
    return {
        "metric": metric,
        "num_sentences": len(reference),
        **({"num_documents": units} if by_document else {}),
        "first": _summary(paths[0], result.first_scores, result.first_interval),
        "second": _summary(paths[1], result.second_scores, result.second_interval),
        "difference": {"score": result.difference, "confidence_interval": result.difference_interval},
        "p_value": result.p_value,
    }


def _summary(files: List[str], scores: Tuple[float, ...], interval: Interval) -> Dict[str, Any]:
    return {
        "files": files,
        "scores": list(scores),
        "score": float(numpy.mean(scores)),
        "standard_deviation": float(numpy.std(scores, ddof=1)) if len(scores) > 1 else None,
        "confidence_interval": interval,
    }

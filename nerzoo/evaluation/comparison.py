from typing import Any, Dict, List, Optional, Tuple, Union

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.evaluation.gold import read_gold, read_with_gold
from nerzoo.evaluation.matching import METRICS, sentence_counts
from nerzoo.evaluation.significance import Interval, paired_significance


def compare(
    first: Union[str, List[str]],
    second: Union[str, List[str]],
    metric: str = "f1",
    gold_file: Optional[str] = None,
    config_file: Optional[str] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
    sclite_weights: bool = False,
) -> Dict[str, Any]:
    """
    Scores the predictions of two systems for the same sentences, with confidence intervals and the p value of their
    difference. `first` and `second` are the file of predictions of each system, or the files of its runs, which differ
    in their seeds, see `nerzoo.evaluation.significance`; `metric` is one of `METRICS`; `gold_file` holds the gold
    annotation, unless the predictions do, and `config_file` is a configuration for `read_gold`.

    Returns `metric`, `num_sentences`, `p_value`, and under `first`, `second` and `difference` a `score` and its
    `confidence_interval`; for systems also `files`, the `scores` of each, of which `score` is the mean, and their
    sample `standard_deviation`, `None` for a single file.
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
    if len(reference) < 2:
        raise format_error(reference_path, f"{len(reference)} sentences", "at least 2")
    # shape: (R, N, 2) each
    counts = [numpy.stack([sentence_counts(metric, runs[path], sclite_weights) for path in files]) for files in paths]
    result = paired_significance(counts[0], counts[1], num_resamples, seed)
    return {
        "metric": metric,
        "num_sentences": len(reference),
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

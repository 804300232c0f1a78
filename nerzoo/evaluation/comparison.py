from typing import Any, Dict, Optional

from allennlp.common.checks import ConfigurationError

from nerzoo.data.lines import format_error
from nerzoo.evaluation.predictions import check_same_words, gold_of_predictions, read_gold, read_predictions
from nerzoo.evaluation.sentence_counts import METRICS, sentence_counts
from nerzoo.evaluation.significance import paired_significance


def compare(
    first: str,
    second: str,
    metric: str = "f1",
    gold_file: Optional[str] = None,
    config_file: Optional[str] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
    sclite_weights: bool = False,
) -> Dict[str, Any]:
    """
    Scores two systems' predictions for the same sentences, with confidence intervals and the p value of their
    difference; see `nerzoo.evaluation.significance`.

    # Parameters

    first, second : `str`
        The files of predictions.
    metric : `str`, optional (default = `"f1"`)
        One of `nerzoo.evaluation.sentence_counts.METRICS`.
    gold_file : `str`, optional
        By default, the gold tags are those that the predictions hold.
    config_file : `str`, optional
        Its `validation_dataset_reader`, or else its `dataset_reader`, reads `gold_file`.
    num_resamples : `int`, optional (default = `9999`)
    seed : `int`, optional (default = `13370`)
    sclite_weights : `bool`, optional (default = `False`)
        Whether the errors of the metric `"cer"` are those of an alignment with the weights of the program sclite, see
        `nerzoo.training.metrics.concept_error_rate.concept_errors`.

    # Returns

    `Dict[str, Any]`
        `metric`, `num_sentences`, `p_value`, and under `first`, `second` and `difference` a `score` and its
        `confidence_interval`, for systems beside their `file`.

    # Raises

    `ConfigurationError`, naming file and line, where the files do not hold the same sentences in the same order, or not
    the same gold tags, or a sentence lacks what is scored.
    """
    if (gold_file is None) != (config_file is None):
        raise ConfigurationError("found one of --gold and --config, expected both or neither")
    if sclite_weights and metric != "cer":
        raise ConfigurationError(f"found --sclite-weights and --metric {metric}, expected --metric cer")
    if num_resamples < 1:
        raise ConfigurationError(f"found --num-resamples {num_resamples}, expected at least 1")
    systems = [read_predictions(path, METRICS[metric]) for path in (first, second)]
    check_same_words(systems[1], second, systems[0], first)
    if gold_file is None or config_file is None:
        gold = [gold_of_predictions(*pair) for pair in zip(*systems, strict=True)]
    else:
        annotated = read_gold(gold_file, config_file, METRICS[metric])
        check_same_words(systems[0], first, annotated, gold_file)
        gold = [sentence.annotation for sentence in annotated]
    if len(gold) < 2:
        raise format_error(first, f"{len(gold)} sentences", "at least 2")
    counts = [
        sentence_counts(metric, [sentence.annotation for sentence in system], gold, sclite_weights)
        for system in systems
    ]
    result = paired_significance(counts[0], counts[1], num_resamples, seed)
    return {
        "metric": metric,
        "num_sentences": len(gold),
        "first": {"file": first, "score": result.first, "confidence_interval": result.first_interval},
        "second": {"file": second, "score": result.second, "confidence_interval": result.second_interval},
        "difference": {"score": result.difference, "confidence_interval": result.difference_interval},
        "p_value": result.p_value,
    }

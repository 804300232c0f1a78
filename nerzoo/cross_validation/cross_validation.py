from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.cross_validation.fold_prediction import predict_folds
from nerzoo.cross_validation.fold_training import fold_config, start_or_resume, train_folds
from nerzoo.files import read_run_file, write_json
from nerzoo.training.reported_metrics import reported_metrics


def cross_validate(
    params: Params,
    serialization_dir: str,
    num_folds: int = 10,
    seed: int = 13370,
    data: Optional[List[str]] = None,
    predict: bool = False,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> Dict[str, Any]:
    """
    Trains on all folds of the data but one and evaluates on that one, for each fold. Folds that are finished in
    `serialization_dir` are not trained again; one that was interrupted goes on from its last checkpoint. Each fold has
    the random seeds of the configuration.

    A fold is for validation where the configuration has a `validation_data_path`, or its trainer has `patience` or a
    `validation_metric`. As in `allennlp train` with a `test_data_path`, the vocabulary is that of all data, unless
    `datasets_for_vocab_creation` names some of `train`, `validation` and `test`.

    # Parameters

    params : `Params`
        A configuration that `allennlp train` takes; files for validation and test in it are not read.
    serialization_dir : `str`
    num_folds : `int`, optional (default = `10`)
    seed : `int`, optional (default = `13370`)
        Decides which document is in which fold, and nothing else.
    data : `List[str]`, optional (default = `train_data_path` in `params`)
        The files to divide.
    predict : `bool`, optional (default = `False`)
        Whether to write `predictions.jsonl`, too: see `predict_folds`.
    include_package : `List[str]`, optional
    file_friendly_logging : `bool`, optional (default = `False`)

    # Returns

    `Dict[str, Any]`
        The content of `cross_validation.json`: `num_documents`, and for each of the `metrics` that is a number its
        value in each of the `folds`, their `mean` and their sample standard deviation `std`; `None` where there is
        none. The same for `validation_metrics`, those of the best epoch on the folds for validation, if any.

    # Raises

    `ConfigurationError` where there are fewer documents than folds or too few folds to train, or the folder holds
    another configuration or other folds, or JSON that is cut off.
    """
    trainer = params.get("trainer", {})
    reasons = (params.get("validation_data_path"), trainer.get("patience"), trainer.get("validation_metric"))
    validation = any(reason is not None for reason in reasons)
    if num_folds < 2 + validation:
        expected = "at least 3: to train, to validate and to test" if validation else "at least 2"
        raise ConfigurationError(f"found {num_folds} folds, expected {expected}")
    output = Path(serialization_dir)
    paths = params.get("train_data_path") if data is None else data
    config = fold_config(params, paths, num_folds, seed, validation=validation)
    folds = start_or_resume(output, config, "cross-validation")
    scores = list(train_folds(output, config, include_package, file_friendly_logging))
    summary = {
        "num_documents": sum(map(len, folds)),
        "metrics": summarize(scores),
        "validation_metrics": summarize([validation_scores(output / f"fold-{fold}") for fold in range(num_folds)]),
    }
    write_json(output / "cross_validation.json", summary)
    if predict:
        predict_folds(output, folds, config)
    return summary


def validation_scores(folder: Path) -> Dict[str, float]:
    """Returns the scores that the model of a fold has on the fold for validation; none where there is none."""
    return reported_metrics(read_run_file(folder / "metrics.json", dict), "best_validation_")


def summarize(scores: List[Dict[str, float]]) -> Dict[str, Dict[str, Any]]:
    """Returns `metrics` of the summary from the scores of each fold, in which some may be missing."""
    summary = {}
    for name in dict.fromkeys(name for fold in scores for name in fold):
        # A fold has no score for a type of entity that it does not have.
        values = [fold[name] for fold in scores if name in fold]
        summary[name] = {
            "mean": float(numpy.mean(values)),
            "std": float(numpy.std(values, ddof=1)) if len(values) > 1 else None,
            "folds": [fold.get(name) for fold in scores],
        }
    return summary

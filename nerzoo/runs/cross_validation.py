"""Predictions for the data of each fold by the model that was trained on the others."""

import gc
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import numpy
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.predictors import Predictor

from nerzoo import archives
from nerzoo.files import read_run_file, write_json, write_text
from nerzoo.runs.folds import instances_by_document
from nerzoo.runs.training import fold_config, start_or_resume, train, train_folds
from nerzoo.training.callbacks.final_report import reported_metrics

PREDICTIONS_NAME = "predictions.jsonl"
BATCH_SIZE = 32


def predict_folds(output: Path, folds: List[List[str]], config: Params) -> None:
    """
    Writes `output/predictions.jsonl`: for each instance of the data, in its order, the prediction of the model that was
    not trained on it, in the form of `allennlp predict`. Does nothing if the file exists.

    # Parameters

    output : `Path`
        The folder in which `train_folds` has trained on all folds.
    folds : `List[List[str]]`
        The names of the documents of each fold, as `start_or_resume` returns them.
    config : `Params`
        The configuration that `fold_config` returns.
    """
    predictions_file = output / PREDICTIONS_NAME
    if predictions_file.exists():
        return
    predictions: Dict[int, str] = {}
    for number, documents in enumerate(folds):
        predictions.update(_predict(output / f"fold-{number}", documents, config))
    write_text(predictions_file, "".join(predictions[position] for position in sorted(predictions)))


def _predict(folder: Path, documents: List[str], config: Params) -> Iterator[tuple[int, str]]:
    """Yields the position in the training data and the prediction of each instance of these documents."""
    gc.collect()
    device = config.get("trainer", {}).get("cuda_device")
    if device is None:
        device = 0 if torch.cuda.is_available() else -1
    archive = archives.load(folder / archives.ARCHIVE_NAME, device)
    predictor = Predictor.from_archive(archive)
    held_out = frozenset(documents)
    instances = (
        (position, instance)
        for position, (document, instance) in enumerate(
            instances_by_document(archive.validation_dataset_reader, config["train_data_path"])
        )
        if document in held_out
    )
    for group in lazy_groups_of(instances, BATCH_SIZE):
        positions, batch = zip(*group, strict=True)
        for position, prediction in zip(positions, predictor.predict_batch_instance(list(batch)), strict=True):
            yield position, predictor.dump_line(prediction)


def cross_predict(
    params: Params,
    serialization_dir: str,
    num_folds: int = 5,
    seed: int = 13370,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> None:
    """
    Predicts each fold of the training data by a model that was trained on the others. Writes into `serialization_dir`
    the folders `fold-0` and so on; the folder `model`, of a model that is trained on all training data; and at last
    `predictions.jsonl`, predictions for the training data in its own order, in the form of `allennlp predict`. A
    sentence without a document is a document of its own.

    Trainings that are finished are not done again; one that was interrupted goes on from its last checkpoint. Each
    training has the random seeds of the configuration and its `validation_data_path`, if any. The vocabulary of a fold
    is that of all data, unless `datasets_for_vocab_creation` names some of `train`, `validation` and `test`.

    # Parameters

    params : `Params`
        A configuration that `allennlp train` takes.
    serialization_dir : `str`
    num_folds : `int`, optional (default = `5`)
    seed : `int`, optional (default = `13370`)
        Decides which document is in which fold, and nothing else.
    include_package : `List[str]`, optional
    file_friendly_logging : `bool`, optional (default = `False`)

    # Raises

    `ConfigurationError` where there are fewer documents than folds, or fewer than two folds, or the folder holds
    another configuration or other folds.
    """
    if num_folds < 2:
        raise ConfigurationError(f"found {num_folds} folds, expected at least 2: to train and to predict")
    output = Path(serialization_dir)
    config = fold_config(
        params,
        params.get("train_data_path"),
        num_folds,
        seed,
        validation_data_path=params.get("validation_data_path"),
    )
    folds = start_or_resume(output, config, "cross-prediction")
    for _ in train_folds(output, config, include_package, file_friendly_logging):
        pass
    predictions_file = output / PREDICTIONS_NAME
    if not predictions_file.exists():
        print("model: training on all folds", flush=True)
        train(params, output / "model", include_package, file_friendly_logging)
        predict_folds(output, folds, config)
    print(f"finished: {predictions_file} and {output / 'model/model.tar.gz'}", flush=True)


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

"""Cross-validation and cross-prediction: a model is trained on all folds but one and applied to that one, for each."""

import gc
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import DatasetReader
from allennlp.predictors import Predictor

from nerzoo import archives
from nerzoo.files import check_links, read_run_file, remove_unfinished, write_json, write_text
from nerzoo.runs.folds import divide, document_names, instances_by_document
from nerzoo.runs.runner import TrainingRun, check_is_same, data_paths, run_in_turn, start_or_resume, train
from nerzoo.training.callbacks.final_report import metrics_line, reported_metrics

PREDICTIONS_NAME = "predictions.jsonl"
BATCH_SIZE = 32


def cross_validate(
    params: Params,
    serialization_dir: str,
    num_folds: int = 10,
    seed: int = 13370,
    data: Optional[List[str]] = None,
    predict: bool = False,
    **options: Any,
) -> Dict[str, Any]:
    """
    Trains on all folds of the data but one and evaluates on that one, for each fold. Folds that are finished in
    `serialization_dir` are not trained again; one that was interrupted goes on from its last checkpoint. Each fold has
    the random seeds of the configuration.

    A fold is for validation where the configuration has a `validation_data_path`, or its trainer has `patience` or a
    `validation_metric`. As in `nerzoo train` with a `test_data_path`, the vocabulary is that of all data, unless
    `datasets_for_vocab_creation` names some of `train`, `validation` and `test`.

    `params` is a configuration of `nerzoo train`, whose files for validation and test are not read; `seed` decides
    only which document is in which fold; `data` are the files to divide, by default the `train_data_path`; `predict`
    asks for `predictions.jsonl`, see `predict_folds`; and `options` are those of `train_model`. Returns the content of
    `cross_validation.json`: `num_documents`, and `metrics` and `validation_metrics` as in `summarize`, the latter those
    of the best epoch on the folds for validation, if any.

    # Raises

    `ConfigurationError` where there are fewer documents than folds or too few folds to train, or the folder holds
    another configuration, other data or other folds, or JSON that is cut off.
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
    folds = _start_or_resume(output, config, "cross-validation")
    scores = list(train_folds(output, config, **options))
    metrics = [read_run_file(output / f"fold-{fold}" / "metrics.json", dict) for fold in range(num_folds)]
    summary = {
        "num_documents": sum(map(len, folds)),
        "metrics": summarize(scores),
        "validation_metrics": summarize([reported_metrics(fold, "best_validation_") for fold in metrics]),
    }
    write_json(output / "cross_validation.json", summary)
    if predict:
        predict_folds(output, folds, config)
    return summary


def cross_predict(
    params: Params, serialization_dir: str, num_folds: int = 5, seed: int = 13370, **options: Any
) -> None:
    """
    Predicts each fold of the training data by a model that was trained on the others. Writes into `serialization_dir`
    the folders `fold-0` and so on; the folder `model`, of a model that is trained on all training data; and at last
    `predictions.jsonl`, see `predict_folds`. Sentences without a document are divided one by one.

    Parameters, errors, vocabularies, seeds and resumption are those of `cross_validate`, but for the validation data of
    each training, which is that of the configuration, if any.
    """
    if num_folds < 2:
        raise ConfigurationError(f"found {num_folds} folds, expected at least 2: to train and to predict")
    output = Path(serialization_dir)
    validation = params.get("validation_data_path")
    config = fold_config(params, params.get("train_data_path"), num_folds, seed, validation_data_path=validation)
    folds = _start_or_resume(output, config, "cross-prediction")
    for _ in train_folds(output, config, **options):
        pass
    predictions_file = output / PREDICTIONS_NAME
    if not predictions_file.exists():
        print("model: training on all folds", flush=True)
        train(params, output / "model", **options)
        predict_folds(output, folds, config)
    print(f"finished: {predictions_file} and {output / 'model/model.tar.gz'}", flush=True)


def fold_config(params: Params, paths: Any, num_folds: int, seed: int, **settings: Any) -> Params:
    """
    Returns the configuration of a `CrossValidationFold` with these settings, but for `test_fold`. `params` is a
    configuration that `nerzoo train` takes; files for validation and test in it are left out. Raises
    `ConfigurationError` where it has a `type` or is for several processes, or `paths` are not those of files to divide.
    """
    config = params.duplicate()
    if config.pop("type", "default") != "default" or config.get("distributed") is not None:
        raise ConfigurationError("found a configuration with type or distributed, expected neither in cross-validation")
    paths = [paths] if isinstance(paths, str) else paths
    if not isinstance(paths, list):
        raise ConfigurationError(f"found the train_data_path {paths!r}, expected one or more paths there or in --data")
    for name in ("train_data_path", "validation_data_path", "test_data_path", "evaluate_on_test"):
        config.pop(name, None)
    for name in ("dataset_reader", "validation_dataset_reader"):
        reader: Any = config.get(name, {})
        if "treebank" in (reader.get("parser") or {}):
            if reader.get("predicted_trees"):
                expected = "a pipeline: the treebank has the sentences of all folds"
                raise ConfigurationError(f"found {name}.parser.treebank with predicted_trees, expected {expected}")
            # Its model reads the trees of the data, and no raw text is parsed.
            del reader["parser"]
    folds = {"train_data_path": paths, "num_folds": num_folds, "fold_seed": seed}
    return Params({"type": "cross_validation_fold", **config.as_dict(quiet=True), **folds, **settings})


def _start_or_resume(output: Path, config: Params, what: str) -> List[List[str]]:
    """
    Makes sure that the folder is new, or holds the same configuration, data and folds, and returns the names of the
    documents of each fold. `config` is that of `fold_config`, `what` the kind of run in messages. Raises
    `ConfigurationError` as `cross_validate` does.
    """
    reader = DatasetReader.from_params(config.duplicate()["dataset_reader"])
    folds = divide(document_names(reader, config["train_data_path"]), config["num_folds"], config["fold_seed"])
    folds_file = output / "folds.json"
    remove_unfinished(output)
    check_links(output)
    if start_or_resume(output, "config.json", what, config, data_paths(config), folds_file.name):
        write_json(folds_file, folds)
    elif read_run_file(folds_file, list) != folds:
        # Files at a URL have no hashes.
        check_is_same(what, output, [f"the documents of {', '.join(config['train_data_path'])} are others than before"])
    print(f"{what}: {sum(map(len, folds))} documents in {len(folds)} folds", flush=True)
    return folds


def train_folds(output: Path, config: Params, **options: Any) -> Iterator[Dict[str, float]]:
    """
    Trains and evaluates on each fold that is not finished, in `output/fold-0` and so on; yields the scores of each.
    `config` is that of `fold_config`.
    """

    def train_fold(run: TrainingRun) -> None:
        train(run.config, run.folder, **options)
        metrics = read_run_file(run.folder / "metrics.json", dict)
        scores = {name.removeprefix("test_"): metrics[name] for name in metrics if name.startswith("test_")}
        write_json(run.product, scores)

    settings = config.as_dict(quiet=True)
    runs = []
    for fold in range(config["num_folds"]):
        folder, fold_settings = output / f"fold-{fold}", Params({**settings, "test_fold": fold})
        runs.append(TrainingRun(folder.name, folder, folder / "test_metrics.json", fold_settings))
    yield from run_in_turn(runs, train_fold, lambda path: reported_metrics(read_run_file(path, dict)), metrics_line)


def predict_folds(output: Path, folds: List[List[str]], config: Params) -> None:
    """
    Writes `output/predictions.jsonl`: for each instance of the data, in its order, the prediction of the model that was
    not trained on it, in the form of `nerzoo predict`. Does nothing if the file exists. `folds` are the documents of
    each fold, after `train_folds` has trained on all of them.
    """
    if (output / PREDICTIONS_NAME).exists():
        return
    predictions: Dict[int, str] = {}
    for number, documents in enumerate(folds):
        predictions.update(_predict(output / f"fold-{number}", documents, config))
    write_text(output / PREDICTIONS_NAME, "".join(predictions[position] for position in sorted(predictions)))


def _predict(folder: Path, documents: List[str], config: Params) -> Iterator[Tuple[int, str]]:
    """Yields the position in the training data and the prediction of each instance of these documents."""
    # The model of the fold before may still be in memory.
    gc.collect()
    device = config.get("trainer", {}).get("cuda_device")
    if device is None:
        device = 0 if torch.cuda.is_available() else -1
    archive = archives.load(folder / archives.ARCHIVE_NAME, device)
    predictor = Predictor.from_archive(archive)
    held_out = frozenset(documents)
    instances = instances_by_document(archive.validation_dataset_reader, config["train_data_path"])
    chosen = ((place, instance) for place, (name, instance) in enumerate(instances) if name in held_out)
    for group in lazy_groups_of(chosen, BATCH_SIZE):
        positions, batch = zip(*group, strict=True)
        for position, prediction in zip(positions, predictor.predict_batch_instance(list(batch)), strict=True):
            yield position, predictor.dump_line(prediction)


def summarize(scores: List[Dict[str, float]]) -> Dict[str, Dict[str, Any]]:
    """
    Returns for each score its value in each of the `folds`, `None` where a fold has none, the `mean` of the others and
    their sample standard deviation `std`, `None` for a single one.
    """
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

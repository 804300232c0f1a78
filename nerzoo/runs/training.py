"""
One of several trainings of a command, which can be interrupted and resumed.

Training of a model on each fold of its data.
"""

import gc
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.models.archival import CONFIG_NAME

from nerzoo.files import check_links, read_run_file, remove_unfinished, write_json
from nerzoo.runs.folds import divide, document_names
from nerzoo.training.callbacks.final_report import metrics_line, reported_metrics
from nerzoo.training.train_model import train_model


def train(
    config: Params,
    folder: Path,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> None:
    """
    Trains a model as `allennlp train` does, from the last checkpoint in the folder if there is one. Raises
    `ConfigurationError` where there is one and `config.json` is cut off.
    """
    # A trainer and its parts refer to each other; data and model of the training before would stay.
    gc.collect()
    # Before the first checkpoint there is nothing to recover, maybe not even a whole configuration.
    recover = any(folder.glob("training_state_*.th"))
    if recover:
        # AllenNLP reads the file, too, but its error would not name it.
        read_run_file(folder / CONFIG_NAME, dict)
    train_model(
        config.duplicate(),
        str(folder),
        recover=recover,
        force=not recover,
        include_package=include_package,
        file_friendly_logging=file_friendly_logging,
    )


def config_differences(path: Path, config: Params) -> List[str]:
    """
    Describes each parameter in which a configuration differs from the one in a file. Raises `ConfigurationError` where
    the file is cut off.
    """
    before = Params(read_run_file(path, dict)).as_flat_dict()
    now = config.as_flat_dict()
    return [
        f"{name} is {json.dumps(now.get(name))} and was {json.dumps(before.get(name))}"
        for name in sorted({*before, *now})
        if now.get(name) != before.get(name)
    ]


def fold_config(params: Params, paths: Any, num_folds: int, seed: int, **settings: Any) -> Params:
    """
    Returns the configuration of a `CrossValidationFold`, but for `test_fold`.

    # Parameters

    params : `Params`
        A configuration that `allennlp train` takes; files for validation and test in it are left out.
    paths : `Any`
        The path of the file to divide, or a list of paths; anything else is an error.
    num_folds : `int`
    seed : `int`
    **settings : `Any`
        More parameters of `CrossValidationFold`.

    # Raises

    `ConfigurationError` where the configuration has a `type` or is for more than one process, or there is no file.
    """
    config = params.duplicate()
    if config.pop("type", "default") != "default" or config.get("distributed") is not None:
        raise ConfigurationError("found a configuration with type or distributed, expected neither in cross-validation")
    paths = [paths] if isinstance(paths, str) else paths
    if not isinstance(paths, list):
        raise ConfigurationError(f"found the train_data_path {paths!r}, expected one or more paths there or in --data")
    for name in ("train_data_path", "validation_data_path", "test_data_path", "evaluate_on_test"):
        config.pop(name, None)
    return Params(
        {
            "type": "cross_validation_fold",
            **config.as_dict(quiet=True),
            "train_data_path": paths,
            "num_folds": num_folds,
            "fold_seed": seed,
            **settings,
        }
    )


def start_or_resume(output: Path, config: Params, what: str) -> List[List[str]]:
    """
    Makes sure that the folder is empty, or holds the same configuration and folds.

    # Parameters

    output : `Path`
    config : `Params`
        The configuration that `fold_config` returns.
    what : `str`
        The name of the kind of run in messages.

    # Returns

    `List[List[str]]`
        The names of the documents of each fold.

    # Raises

    `ConfigurationError` where there are fewer documents than folds, or the folder holds something else, or files that
    are cut off.
    """
    reader = DatasetReader.from_params(config.duplicate()["dataset_reader"])
    folds = divide(document_names(reader, config["train_data_path"]), config["num_folds"], config["fold_seed"])
    config_file, folds_file = output / "config.json", output / "folds.json"
    remove_unfinished(output)
    if not config_file.exists():
        # config.json comes last.
        if output.exists() and any(path.name != folds_file.name for path in output.iterdir()):
            raise ConfigurationError(f"found {output} not empty and without a config.json, expected a new folder")
        output.mkdir(parents=True, exist_ok=True)
        write_json(folds_file, folds)
        write_json(config_file, config.as_dict(quiet=True))
    else:
        _check_same(output, config, folds, what)
    print(f"{what}: {sum(map(len, folds))} documents in {len(folds)} folds", flush=True)
    return folds


def train_folds(
    output: Path,
    config: Params,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> Iterator[Dict[str, float]]:
    """
    Trains and evaluates on each fold, in `output/fold-0` and so on. Folds that are finished are not trained again; one
    that was interrupted goes on from its last checkpoint.

    # Parameters

    output : `Path`
    config : `Params`
        The configuration that `fold_config` returns.
    include_package : `List[str]`, optional
    file_friendly_logging : `bool`, optional (default = `False`)

    # Returns

    `Iterator[Dict[str, float]]`
        The scores of each fold.

    # Raises

    `ConfigurationError` where a JSON file of a fold is cut off.
    """
    num_folds = config["num_folds"]
    for fold in range(num_folds):
        folder = output / f"fold-{fold}"
        progress = f"{folder.name} ({fold + 1} of {num_folds})"
        scores_file = folder / "test_metrics.json"
        if not scores_file.exists():
            print(f"{progress}: training", flush=True)
            of_fold = Params({**config.as_dict(quiet=True), "test_fold": fold})
            train(of_fold, folder, include_package, file_friendly_logging)
            metrics = read_run_file(folder / "metrics.json", dict)
            prefix = "test_"
            write_json(scores_file, {name[len(prefix) :]: metrics[name] for name in metrics if name.startswith(prefix)})
        scores = reported_metrics(read_run_file(scores_file, dict))
        print(f"{progress}: {metrics_line(scores)}", flush=True)
        yield scores


def _check_same(output: Path, config: Params, folds: List[List[str]], what: str) -> None:
    check_links(output)
    differences = config_differences(output / "config.json", config)
    if not differences and read_run_file(output / "folds.json", list) != folds:
        differences = [f"the documents of {', '.join(config['train_data_path'])} are others than before"]
    if differences:
        raise ConfigurationError(
            f"found another {what} in {output}: {'; '.join(differences)}; expected the same or a new folder"
        )

"""
The `cross-validate` subcommand trains and evaluates a model on each fold of its data:

    allennlp cross-validate CONFIG -s OUTPUT --include-package nerzoo [--folds 10] [--seed S] [--data PATH ...]
"""

import argparse
import gc
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy
from allennlp.commands.subcommand import Subcommand
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from nerzoo.data.folds import divide, document_names


@Subcommand.register("cross-validate")
class CrossValidate(Subcommand):
    """
    The documents of the training data are divided into folds. For each fold, the model is trained on the others and
    evaluated on that one, once; where training needs validation, one of the others is for that.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        description = (
            "Divide documents into folds; train on all folds but one and evaluate on that one, for each. "
            "The same command goes on where it was interrupted."
        )
        subparser = parser.add_parser(self.name, description=description, help="Cross-validate a model.")
        subparser.add_argument("param_path", type=str, help="path to the configuration of the model to be trained")
        subparser.add_argument(
            "-s",
            "--serialization-dir",
            required=True,
            type=str,
            help="directory for a folder for each fold, as `allennlp train` writes it, and cross_validation.json",
        )
        subparser.add_argument("--folds", type=int, default=10, help="number of folds")
        subparser.add_argument(
            "--seed", type=int, default=13370, help="decides which document is in which fold, and nothing else"
        )
        subparser.add_argument(
            "--data",
            type=str,
            nargs="+",
            metavar="PATH",
            help="files to divide, in place of the configuration's train_data_path",
        )
        subparser.add_argument(
            "-o",
            "--overrides",
            type=str,
            default="",
            help="a JSON structure that overrides parts of the configuration, as in `allennlp train`",
        )
        subparser.add_argument(
            "--file-friendly-logging",
            action="store_true",
            default=False,
            help="outputs tqdm status on separate lines and slows tqdm refresh rate",
        )
        subparser.set_defaults(func=cross_validate_from_args)
        return subparser


def cross_validate_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    """Converts from an `argparse.Namespace` object to the parameters of `cross_validate`."""
    return cross_validate(
        params=Params.from_file(args.param_path, args.overrides),
        serialization_dir=args.serialization_dir,
        num_folds=args.folds,
        seed=args.seed,
        data=args.data,
        include_package=args.include_package,
        file_friendly_logging=args.file_friendly_logging,
    )


def cross_validate(
    params: Params,
    serialization_dir: str,
    num_folds: int = 10,
    seed: int = 13370,
    data: Optional[List[str]] = None,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> Dict[str, Any]:
    """
    Folds that are finished in `serialization_dir` are not trained again; one that was interrupted goes on from its last
    checkpoint. Each fold has the random seeds of the configuration.

    A fold is for validation where the configuration has a `validation_data_path`, or its trainer has `patience` or a
    `validation_metric`. As in `allennlp train` with a `test_data_path`, the vocabulary is that of all data, unless
    `datasets_for_vocab_creation` names some of `train`, `validation` and `test`.

    # Parameters

    params : `Params`
        What `allennlp train` takes; files for validation and test in it are not read.
    serialization_dir : `str`
    num_folds : `int`, optional (default = `10`)
    seed : `int`, optional (default = `13370`)
        Decides which document is in which fold, and nothing else.
    data : `List[str]`, optional (default = `train_data_path` in `params`)
        The files to divide.
    include_package : `List[str]`, optional
    file_friendly_logging : `bool`, optional (default = `False`)

    # Returns

    `Dict[str, Any]`
        What `cross_validation.json` holds: `num_documents`, and for each of the `metrics` that is a number its value in
        each of the `folds`, their `mean` and their sample standard deviation `std`; `None` where there is none.

    # Raises

    `ConfigurationError` where there are fewer documents than folds or too few folds to train, or the folder holds
    another configuration or other folds.
    """
    output = Path(serialization_dir)
    config = _fold_config(params, num_folds, seed, data)
    reader = DatasetReader.from_params(config.duplicate()["dataset_reader"])
    folds = divide(document_names(reader, config["train_data_path"]), num_folds, seed)
    _start_or_resume(output, config, folds)

    num_documents = sum(map(len, folds))
    print(f"cross-validation: {num_documents} documents in {num_folds} folds", flush=True)
    scores = []
    for fold in range(num_folds):
        folder = output / f"fold-{fold}"
        progress = f"{folder.name} ({fold + 1} of {num_folds})"
        scores_file = folder / "test_metrics.json"
        if not scores_file.exists():
            print(f"{progress}: training", flush=True)
            config["test_fold"] = fold
            # A trainer and its parts refer to each other; data and model of the fold before would stay.
            gc.collect()
            # Before the first checkpoint there is nothing to recover, maybe not even a whole configuration.
            recover = any(folder.glob("training_state_*.th"))
            train_model(
                config.duplicate(),
                str(folder),
                recover=recover,
                force=not recover,
                include_package=include_package,
                file_friendly_logging=file_friendly_logging,
            )
            metrics = json.loads((folder / "metrics.json").read_text())
            prefix = "test_"
            _write(scores_file, {name[len(prefix) :]: metrics[name] for name in metrics if name.startswith(prefix)})
        scores.append(_numbers(json.loads(scores_file.read_text())))
        print(f"{progress}: {', '.join(f'{name} {value:.4f}' for name, value in scores[-1].items())}", flush=True)

    summary = {"num_documents": num_documents, "metrics": _summary(scores)}
    _write(output / "cross_validation.json", summary)
    print(_table(summary["metrics"], num_folds), flush=True)
    return summary


def _fold_config(params: Params, num_folds: int, seed: int, data: Optional[List[str]]) -> Params:
    """The configuration of a `CrossValidationFold`, but for the fold itself."""
    config = params.duplicate()
    if config.pop("type", "default") != "default" or config.get("distributed") is not None:
        raise ConfigurationError("found a configuration with type or distributed, expected neither in cross-validation")
    paths = config.pop("train_data_path", None) if data is None else data
    paths = [paths] if isinstance(paths, str) else paths
    if not isinstance(paths, list):
        raise ConfigurationError(f"found the train_data_path {paths!r}, expected one or more paths there or in --data")
    trainer = config.get("trainer", {})
    reasons = (config.get("validation_data_path"), trainer.get("patience"), trainer.get("validation_metric"))
    validation = any(reason is not None for reason in reasons)
    if num_folds < 2 + validation:
        expected = "at least 3: to train, to validate and to test" if validation else "at least 2"
        raise ConfigurationError(f"found {num_folds} folds, expected {expected}")
    for name in ("validation_data_path", "test_data_path", "evaluate_on_test"):
        config.pop(name, None)
    return Params(
        {
            "type": "cross_validation_fold",
            **config.as_dict(quiet=True),
            "train_data_path": paths,
            "num_folds": num_folds,
            "fold_seed": seed,
            "validation": validation,
        }
    )


def _start_or_resume(output: Path, config: Params, folds: List[List[str]]) -> None:
    """Makes sure that the folder is empty, or holds the same configuration and folds."""
    config_file, folds_file = output / "config.json", output / "folds.json"
    if not config_file.exists():
        if output.exists() and any(output.iterdir()):
            raise ConfigurationError(f"found {output} not empty and without a config.json, expected a new folder")
        output.mkdir(parents=True, exist_ok=True)
        _write(folds_file, folds)
        _write(config_file, config.as_dict(quiet=True))
        return
    before, now = Params(json.loads(config_file.read_text())).as_flat_dict(), config.as_flat_dict()
    differences = [
        f"{name} is {json.dumps(now.get(name))} and was {json.dumps(before.get(name))}"
        for name in sorted({*before, *now})
        if now.get(name) != before.get(name)
    ]
    if not differences and json.loads(folds_file.read_text()) != folds:
        differences = [f"the documents of {', '.join(config['train_data_path'])} are others than before"]
    if differences:
        raise ConfigurationError(
            f"found another cross-validation in {output}: {'; '.join(differences)}; expected the same or a new folder"
        )


def _write(path: Path, value: Any) -> None:
    """Writes all or nothing, so that what exists is whole."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    os.replace(unfinished, path)


def _numbers(metrics: Dict[str, Any]) -> Dict[str, float]:
    """Metrics may be lists, too. AllenNLP does not show names with an underscore in front."""
    return {
        name: value for name, value in metrics.items() if isinstance(value, (int, float)) and not name.startswith("_")
    }


def _summary(scores: List[Dict[str, float]]) -> Dict[str, Dict[str, Any]]:
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


def _table(summary: Dict[str, Dict[str, Any]], num_folds: int) -> str:
    """A row for each metric, a column for each fold, the mean and the standard deviation."""
    header = ["", *(f"fold-{fold}" for fold in range(num_folds)), "mean", "std"]
    rows = [
        [name, *("-" if value is None else f"{value:.4f}" for value in (*row["folds"], row["mean"], row["std"]))]
        for name, row in summary.items()
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in [header, *rows]
    )

"""
The subcommands `cross-validate` and `cross-predict`:

    nerzoo cross-validate CONFIG -s OUTPUT [--folds 10] [--seed S] [--data PATH ...]
    nerzoo cross-predict CONFIG -s OUTPUT [--folds 5] [--seed S]
"""

import argparse
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, add_fold_arguments, fold_arguments
from nerzoo.runs.cross_validation import cross_predict, cross_validate
from nerzoo.text.matching import written_score
from nerzoo.text.rendering import aligned


@Subcommand.register("cross-validate")
class CrossValidate(Command):
    """
    Divides the documents of the training data into folds. For each fold, trains on the others and evaluates on this
    one. If training needs validation data, one more fold is used for it. The same command continues an interrupted run.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        directory = "directory for cross_validation.json, and for a folder of each fold, as `nerzoo train` writes it"
        add_fold_arguments(parser, 10, directory)
        files = "files to divide, in place of the configuration's train_data_path"
        parser.add_argument("--data", nargs="+", metavar="PATH", help=files)
        predict = "also write predictions.jsonl: all data, each fold predicted by the model that was not trained on it"
        parser.add_argument("--predict", action="store_true", help=predict)

    def run(self, args: argparse.Namespace) -> None:
        summary = cross_validate(**fold_arguments(args), data=args.data, predict=args.predict)
        print(_table(summary["metrics"], args.folds), flush=True)


def _table(summary: Dict[str, Dict[str, Any]], num_folds: int) -> str:
    """Makes a table with a row for each metric and a column for each fold, the mean and the standard deviation."""
    header = ["", *(f"fold-{fold}" for fold in range(num_folds)), "mean", "std"]
    rows = [
        [
            name,
            *(
                "-" if value is None else written_score(name, value)
                for value in (*row["folds"], row["mean"], row["std"])
            ),
        ]
        for name, row in summary.items()
    ]
    return aligned([header, *rows], to_the_right=True)


@Subcommand.register("cross-predict")
class CrossPredict(Command):
    """
    Divides the documents of the training data into folds, predicts each fold by a model that was trained on the others,
    and trains a model on all data. A second pass can be trained on these predictions. The same command continues an
    interrupted run.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        directory = "directory for predictions.jsonl, and for folders of the model and of the folds"
        add_fold_arguments(parser, 5, directory)

    def run(self, args: argparse.Namespace) -> None:
        cross_predict(**fold_arguments(args))

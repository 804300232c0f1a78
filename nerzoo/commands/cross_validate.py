"""
The `cross-validate` subcommand trains and evaluates a model on each fold of its data:

    allennlp cross-validate CONFIG -s OUTPUT --include-package nerzoo [--folds 10] [--seed S] [--data PATH ...]

The `cross-predict` subcommand predicts training data by models that were not trained on it, and trains a model on all
of it: the first pass that a second one is trained on.

    allennlp cross-predict CONFIG -s OUTPUT --include-package nerzoo [--folds 5] [--seed S]
"""

import argparse
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import add_fold_arguments, aligned, fold_arguments
from nerzoo.runs.cross_validation import cross_predict, cross_validate


@Subcommand.register("cross-validate")
class CrossValidate(Subcommand):
    """
    Divides the documents of the training data into folds. For each fold, the model is trained on the others and
    evaluated on that one, once; where training needs validation, one of the others is for that.
    """

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Divide documents into folds; train on all folds but one and evaluate on that one, for each. "
            "The same command goes on where it was interrupted."
        )
        subparser = parser.add_parser(self.name, description=description, help="Cross-validate a model.")
        directory = "directory for a folder for each fold, as `allennlp train` writes it, and cross_validation.json"
        add_fold_arguments(subparser, 10, directory)
        files = "files to divide, in place of the configuration's train_data_path"
        subparser.add_argument("--data", type=str, nargs="+", metavar="PATH", help=files)
        predict = "also write predictions.jsonl: for all data, those of the models that were not trained on it"
        subparser.add_argument("--predict", action="store_true", help=predict)
        subparser.set_defaults(func=_cross_validate_from_args)
        return subparser


def _cross_validate_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    summary = cross_validate(**fold_arguments(args), data=args.data, predict=args.predict)
    print(_table(summary["metrics"], args.folds), flush=True)
    return summary


def _table(summary: Dict[str, Dict[str, Any]], num_folds: int) -> str:
    """Makes a table with a row for each metric and a column for each fold, the mean and the standard deviation."""
    header = ["", *(f"fold-{fold}" for fold in range(num_folds)), "mean", "std"]
    rows = [
        [name, *("-" if value is None else f"{value:.4f}" for value in (*row["folds"], row["mean"], row["std"]))]
        for name, row in summary.items()
    ]
    return aligned([header, *rows], to_the_right=True)


@Subcommand.register("cross-predict")
class CrossPredict(Subcommand):
    """
    Divides the documents of the training data into folds. For each fold, a model is trained on the others and predicts
    that one.
    """

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Divide the documents of the training data into folds; predict each by a model trained on all others, and "
            "train one on all data. The same command goes on where it was interrupted."
        )
        subparser = parser.add_parser(self.name, description=description, help="Cross-predict training data.")
        directory = "directory for predictions.jsonl, and for folders as `allennlp train` writes them: model and folds"
        add_fold_arguments(subparser, 5, directory)
        subparser.set_defaults(func=lambda args: cross_predict(**fold_arguments(args)))
        return subparser

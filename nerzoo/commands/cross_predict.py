"""
The `cross-predict` subcommand predicts training data by models that were not trained on it, and trains a model on all
of it: the first pass that a second one is trained on.

    allennlp cross-predict CONFIG -s OUTPUT --include-package nerzoo [--folds 5] [--seed S]
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.fold_arguments import add_fold_arguments, fold_arguments
from nerzoo.cross_validation import cross_predict


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
        subparser.set_defaults(func=_cross_predict_from_args)
        return subparser


def _cross_predict_from_args(args: argparse.Namespace) -> None:
    cross_predict(**fold_arguments(args))

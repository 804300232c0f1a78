"""
The `curve` subcommand:

    allennlp curve CONFIG [CONFIG ...] -s OUTPUT --parameter model.encoder.alpha --values 0 0.5 0.7 1 \
        --metric test_perplexity --include-package nerzoo
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import TRAINING_OPTIONS, Command, add_training_arguments
from nerzoo.runs.curve import Number, curve


@Subcommand.register("curve")
class Curve(Command):
    """
    Trains a model for each value of one parameter of a configuration, or of several configurations, and draws a metric
    over the values. The same command goes on where it was interrupted.
    """

    help = "Draw a metric over a parameter."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("param_paths", nargs="+", metavar="CONFIG", help="a configuration for a curve")
        parser.add_argument("--parameter", required=True, help="such as model.encoder.alpha")
        parser.add_argument("--values", required=True, type=_number, nargs="+", metavar="VALUE", help="in order")
        parser.add_argument("--metric", required=True, help="a number in metrics.json")
        directory = "directory for CONFIG/VALUE, as `allennlp train` writes it, curve.json, curve.png and curve.svg"
        add_training_arguments(parser, directory)

    def run(self, args: argparse.Namespace) -> None:
        names = ("param_paths", "serialization_dir", "parameter", "values", "metric", "overrides", *TRAINING_OPTIONS)
        curve(**{name: getattr(args, name) for name in names}, settings=dict(args.set))


def _number(text: str) -> Number:
    """Reads a whole number as an integer: a configuration may not take `4.0` for `4`."""
    return int(text) if text.removeprefix("-").isdecimal() else float(text)

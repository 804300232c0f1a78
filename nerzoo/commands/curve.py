"""
The `curve` subcommand:

    nerzoo curve CONFIG [CONFIG ...] -s OUTPUT --parameter model.encoder.alpha --values 0 0.5 0.7 1 \
        --metric test_perplexity
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import TRAINING_OPTIONS, Command, add_training_arguments
from nerzoo.runs.curve import Number, curve


@Subcommand.register("curve")
class Curve(Command):
    """
    Trains a model for each value of one parameter of a configuration, or of several configurations, and draws a metric
    over the values. The same command continues an interrupted run.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("param_paths", nargs="+", metavar="CONFIG", help="configuration of a curve")
        parser.add_argument("--parameter", required=True, help="number to change, such as model.encoder.alpha")
        parser.add_argument("--values", required=True, type=_number, nargs="+", metavar="VALUE", help="its values")
        parser.add_argument("--metric", required=True, help="number in metrics.json")
        directory = "directory for curve.json, curve.png, curve.svg, and a folder CONFIG/VALUE for each training"
        add_training_arguments(parser, directory)

    def run(self, args: argparse.Namespace) -> None:
        names = ("param_paths", "serialization_dir", "parameter", "values", "metric", "overrides", *TRAINING_OPTIONS)
        curve(**{name: getattr(args, name) for name in names}, settings=dict(args.set))


def _number(text: str) -> Number:
    """Reads a whole number as an integer: a configuration may not take `4.0` for `4`."""
    return int(text) if text.removeprefix("-").isdecimal() else float(text)

"""
The `curve` subcommand trains models that differ in one number of their configuration, and draws a metric over it, a
curve for each configuration:

    allennlp curve CONFIG [CONFIG ...] -s OUTPUT --parameter model.encoder.alpha --values 0 0.5 0.7 1 \
        --metric test_perplexity --include-package nerzoo
"""

import argparse
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import add_training_arguments
from nerzoo.runs.curve import Number, curve


@Subcommand.register("curve")
class Curve(Subcommand):
    """Trains a model for each configuration and each value; those that are finished are not trained again."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Train a model for each value of one parameter of a configuration, or of several configurations, and draw "
            "a metric over the values. The same command goes on where it was interrupted."
        )
        subparser = parser.add_parser(self.name, description=description, help="Draw a metric over a parameter.")
        subparser.add_argument("param_paths", type=str, nargs="+", metavar="CONFIG", help="a configuration for a curve")
        subparser.add_argument("--parameter", required=True, type=str, help="such as model.encoder.alpha")
        subparser.add_argument("--values", required=True, type=_number, nargs="+", metavar="VALUE", help="in order")
        subparser.add_argument("--metric", required=True, type=str, help="a number in metrics.json")
        directory = "directory for CONFIG/VALUE, as `allennlp train` writes it, curve.json, curve.png and curve.svg"
        add_training_arguments(subparser, directory)
        subparser.set_defaults(func=_curve_from_args)
        return subparser


def _curve_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    return curve(
        param_paths=args.param_paths,
        serialization_dir=args.serialization_dir,
        parameter=args.parameter,
        values=args.values,
        metric=args.metric,
        overrides=args.overrides,
        include_package=args.include_package,
        file_friendly_logging=args.file_friendly_logging,
    )


def _number(text: str) -> Number:
    """Reads a whole number as an integer: a configuration may not take `4.0` for `4`."""
    return int(text) if text.removeprefix("-").isdecimal() else float(text)

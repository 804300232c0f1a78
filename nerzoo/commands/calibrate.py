"""
The `calibrate` subcommand:

    nerzoo calibrate ARCHIVE DEV_FILE --output-file CALIBRATED.tar.gz [--coverage 0.9] [--precision 0.95]
        [--test TEST_FILE]
"""

import argparse
from typing import Any, Dict, List

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, add_development_arguments, positive
from nerzoo.evaluation.calibrate import SEED, Coverage, Precision, Promise, calibrate
from nerzoo.text.matching import written_score
from nerzoo.text.rendering import aligned

_MEASURES = ("negative_log_likelihood", "expected_calibration_error", "brier_score", "precision", "recall")


@Subcommand.register("calibrate")
class Calibrate(Command):
    """
    Fits the temperature of a model's distribution, and thresholds, on development data, and writes an archive with
    them. Holds out a fifth of the sentences, or a half with --coverage or --precision, to measure the temperature, and
    keeps the old one where it is not better there. Never use training or test data for that.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_development_arguments(parser, "a tagger or a fofe_ner")
        add = parser.add_argument
        add("--coverage", type=float, help="cut n_best to sets that contain the gold tags with this probability")
        add("--n-best", type=positive, default=20, help="largest size of a set, with --coverage")
        add("--precision", type=float, help="leave out improbable entities, so that the others have this precision")
        add("--test", metavar="FILE", help="also measure the result on this data")

    def run(self, args: argparse.Namespace) -> None:
        promises: List[Promise] = []
        if args.coverage is not None:
            promises.append(Coverage(args.coverage, args.n_best))
        if args.precision is not None:
            promises.append(Precision(args.precision))
        summary = calibrate(
            args.archive_file, args.dev_file, args.output_file, promises, args.test, args.batch_size, args.cuda_device
        )
        print(_report(summary), flush=True)


def _report(summary: Dict[str, Any]) -> str:
    rows = [["", "temperature", "NLL", "ECE", "Brier", "precision", "recall"]]
    lines: List[str] = []
    for part in ("development", "test"):
        measured = summary.get(part, {})
        for when in filter(measured.__contains__, ("before", "after", "refused")):
            rows.append(
                [f"{part}, {when}", *(_number(name, measured[when][name]) for name in ("temperature", *_MEASURES))]
            )
        if "coverage" in measured:
            found = measured["coverage"]
            share = f"{found['coverage']:.4f} of {found['sentences']} sets contain the gold tags"
            lines.append(f"{part}: {share}; {found['mean_size']:.2f} sequences a set")
        if "precision" in measured:
            found = measured["precision"]
            kept = f"{found['kept']} of {found['entities']} entities kept"
            lines.append(f"{part}: {kept}, precision {_number('precision', found['precision'])}")
    fitted = [["promise", "option", "value"]]
    for promise, options in summary["promises"].items():
        fitted += [[promise, name, f"{value:.4g}"] for name, value in options.items()]
    development = summary["development"]
    held_out = f"{development['sentences']} of {development['of']} sentences, held out at random by the seed {SEED}"
    lines.insert(0, f"development: measured on {held_out}, and the temperature fitted on the others")
    return "\n".join([aligned(rows), *([aligned(fitted)] if summary["promises"] else []), *lines])


def _number(name: str, value: Any) -> str:
    return "-" if value is None else written_score(name, value)

"""
The `calibrate` subcommand writes an archive whose probabilities can be relied on:

    allennlp calibrate ARCHIVE DEV_FILE --output-file CALIBRATED.tar.gz [--coverage 0.9] [--precision 0.95]
        [--test TEST_FILE]
"""

import argparse
from typing import Any, Dict, List

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import aligned, positive
from nerzoo.evaluation.calibrate import calibrate
from nerzoo.evaluation.promises import Coverage, Precision, Promise

_MEASURES = ("negative_log_likelihood", "expected_calibration_error", "brier_score", "precision", "recall")


@Subcommand.register("calibrate")
class Calibrate(Subcommand):
    """Fits the temperature of a model's distribution, and thresholds, on development data."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Fit the temperature of a model's distribution on development data, and write an archive with it. Never "
            "use training or test data for that."
        )
        subparser = parser.add_parser(self.name, description=description, help="Calibrate a model's probabilities.")
        subparser.add_argument("archive_file", type=str, help="path to the archive of a tagger or a fofe_ner")
        subparser.add_argument("dev_file", type=str, help="development data, of the format the model was trained on")
        subparser.add_argument("--output-file", type=str, required=True, help="path of the archive to write")
        subparser.add_argument(
            "--coverage", type=float, help="cut n_best to sets that contain the gold tags with this probability"
        )
        subparser.add_argument(
            "--n-best", type=positive, default=20, help="the most sequences of a set, with --coverage"
        )
        subparser.add_argument(
            "--precision", type=float, help="leave out entities so improbable that the others have this precision"
        )
        subparser.add_argument("--test", type=str, metavar="FILE", help="data to measure the result on, too")
        subparser.add_argument("--batch-size", type=positive, default=32, help="instances in a batch")
        subparser.add_argument("--cuda-device", type=int, default=-1, help="id of the GPU to use, if any")
        subparser.set_defaults(func=_calibrate_from_args)
        return subparser


def _calibrate_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    promises: List[Promise] = []
    if args.coverage is not None:
        promises.append(Coverage(args.coverage, args.n_best))
    if args.precision is not None:
        promises.append(Precision(args.precision))
    summary = calibrate(
        args.archive_file, args.dev_file, args.output_file, promises, args.test, args.batch_size, args.cuda_device
    )
    print(_report(summary), flush=True)
    return summary


def _report(summary: Dict[str, Any]) -> str:
    rows = [["", "temperature", "NLL", "ECE", "Brier", "precision", "recall"]]
    lines: List[str] = []
    for part in ("development", "test"):
        if part not in summary:
            continue
        measured = summary[part]
        for when in ("before", "after"):
            values = (measured[when][name] for name in _MEASURES)
            numbers = ["-" if value is None else f"{value:.4f}" for value in values]
            rows.append([f"{part}, {when}", f"{measured[when]['temperature']:.4f}", *numbers])
        if "coverage" in measured:
            found = measured["coverage"]
            lines.append(
                f"{part}: {found['coverage']:.4f} of {found['sentences']} sets contain the gold tags; "
                f"{found['mean_size']:.2f} sequences a set"
            )
        if "precision" in measured:
            found = measured["precision"]
            precision = "-" if found["precision"] is None else f"{found['precision']:.4f}"
            lines.append(f"{part}: {found['kept']} of {found['entities']} entities kept, precision {precision}")
    fitted = [f"{name}: {options}" for name, options in summary["promises"].items()]
    return "\n".join([aligned(rows), *fitted, *lines])

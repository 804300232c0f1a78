"""
The `compare` subcommand:

    nerzoo compare A.jsonl B.jsonl [--metric f1|accuracy|cer] [--sclite-weights] [--gold FILE --config CONFIG]
        [--output-file FILE]
    nerzoo compare A-1.jsonl A-2.jsonl ... --with B-1.jsonl B-2.jsonl ...
"""

import argparse
from pathlib import Path
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.arguments import Command
from nerzoo.evaluation.gold import METRICS
from nerzoo.evaluation.significance import compare
from nerzoo.files import write_json
from nerzoo.text.rendering import aligned


@Subcommand.register("compare")
class Compare(Command):
    """
    Compares the predictions of two systems for the same sentences: their scores, with 95 % confidence intervals by
    bootstrap, and the p value of the difference by approximate randomisation, over sentences and, if a system has
    several runs, over seeds.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        predictions = (
            "output of `nerzoo predict --use-dataset-reader` for each of two systems, or any predictions with --gold; "
            "before --with: the runs of the first system with several seeds"
        )
        add = parser.add_argument
        add("predictions", nargs="+", help=predictions)
        add("--with", dest="others", nargs="+", help="runs of the second system")
        add("--metric", choices=list(METRICS), default="f1", help="f1 and cer score entities")
        add("--sclite-weights", action="store_true", help="for cer: align as sclite does")
        add("--by-document", action="store_true", help="resample documents in place of sentences")
        add("--gold", help="file with the gold annotation, in the format of --config")
        add("--config", help="configuration with the dataset reader for --gold")
        add("--num-resamples", type=int, default=9999, help="number of resamples of randomisation and bootstrap")
        add("--seed", type=int, default=13370, help="seed of the resamples")
        add("--output-file", help="file to write the numbers to, as JSON")

    def run(self, args: argparse.Namespace) -> None:
        first, second = args.predictions, args.others
        if second is None:
            if len(first) != 2:
                expected = "two, a system each, or --with before those of the other system"
                raise ConfigurationError(f"found {len(first)} files of predictions, expected {expected}")
            first, second = first[:1], first[1:]
        summary = compare(
            first,
            second,
            args.metric,
            args.gold,
            args.config,
            args.num_resamples,
            args.seed,
            args.sclite_weights,
            args.by_document,
        )
        if args.output_file is not None:
            write_json(Path(args.output_file), summary)
        print(_table(summary), flush=True)


def _table(summary: Dict[str, Any]) -> str:
    rows = [["", summary["metric"], "deviation", "95 % interval", ""]]
    for name in ("first", "second", "difference"):
        scores = summary[name]
        deviation = scores.get("standard_deviation")
        low, high = scores["confidence_interval"]
        written = "" if deviation is None else f"{100 * deviation:.1f}"
        numbers = [f"{100 * scores['score']:.1f}", written, f"{100 * low:.1f} to {100 * high:.1f}"]
        rows.append([name, *numbers, ", ".join(scores.get("files", []))])
    units = f"{summary['num_sentences']} {'threads' if METRICS[summary['metric']] == 'links' else 'sentences'}"
    if "num_documents" in summary:
        units = f"{summary['num_documents']} documents"
    rows[-1][-1] = f"p = {summary['p_value']:.4f}, {units}"
    if all(row[2] == "" for row in rows[1:]):
        rows = [[*row[:2], *row[3:]] for row in rows]
    return aligned(rows)

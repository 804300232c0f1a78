"""
The `compare` subcommand says whether two systems' predictions for the same sentences differ by more than chance:

    allennlp compare A.jsonl B.jsonl [--metric f1|accuracy|cer] [--sclite-weights] [--gold FILE --config CONFIG]
        [--output-file FILE]
    allennlp compare A-1.jsonl A-2.jsonl ... --with B-1.jsonl B-2.jsonl ...
"""

import argparse
from pathlib import Path
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import aligned
from nerzoo.evaluation.comparison import compare
from nerzoo.evaluation.matching import METRICS
from nerzoo.files import write_json


@Subcommand.register("compare")
class Compare(Subcommand):
    """Prints the scores of two systems with confidence intervals, and the p value of their difference."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Compare what two systems predict for the same sentences: their scores, with 95 % confidence intervals "
            "by bootstrap, and the p value of the difference by approximate randomisation, over sentences and, where "
            "a system has several runs, over seeds."
        )
        subparser = parser.add_parser(self.name, description=description, help="Compare two systems' predictions.")
        what = (
            "what `allennlp predict` wrote for one system and for the other, with --use-dataset-reader unless there is "
            "--gold; or, before --with, for the runs of the one with several seeds"
        )
        subparser.add_argument("predictions", type=str, nargs="+", help=what)
        subparser.add_argument("--with", dest="others", type=str, nargs="+", help="the same for the other's runs")
        subparser.add_argument("--metric", choices=list(METRICS), default="f1", help="f1 and cer are of entities")
        subparser.add_argument(
            "--sclite-weights", action="store_true", help="align as sclite does, for cer; as the head's option says"
        )
        subparser.add_argument("--gold", type=str, help="file with the gold annotation, to be read as --config says")
        subparser.add_argument("--config", type=str, help="configuration with the dataset reader for --gold")
        subparser.add_argument(
            "--num-resamples", type=int, default=9999, help="of the randomisation, and of the bootstrap"
        )
        subparser.add_argument("--seed", type=int, default=13370, help="decides which resamples, and nothing else")
        subparser.add_argument("--output-file", type=str, help="optional path to write the numbers to, as JSON")
        subparser.set_defaults(func=_compare_from_args)
        return subparser


def _compare_from_args(args: argparse.Namespace) -> Dict[str, Any]:
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
        sclite_weights=args.sclite_weights,
    )
    if args.output_file is not None:
        write_json(Path(args.output_file), summary)
    print(_table(summary), flush=True)
    return summary


def _table(summary: Dict[str, Any]) -> str:
    rows = [["", summary["metric"], "deviation", "95 % interval", ""]]
    for name in ("first", "second", "difference"):
        scores = summary[name]
        deviation = scores.get("standard_deviation")
        low, high = scores["confidence_interval"]
        rows.append(
            [
                name,
                f"{scores['score']:.4f}",
                "" if deviation is None else f"{deviation:.4f}",
                f"{low:.4f} to {high:.4f}",
                ", ".join(scores.get("files", [])),
            ]
        )
    rows[-1][-1] = f"p = {summary['p_value']:.4f}, {summary['num_sentences']} sentences"
    if all(row[2] == "" for row in rows[1:]):
        rows = [[*row[:2], *row[3:]] for row in rows]
    return aligned(rows)

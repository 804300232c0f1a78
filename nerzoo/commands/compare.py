"""
The `compare` subcommand says whether two systems' predictions for the same sentences differ by more than chance:

    allennlp compare A.jsonl B.jsonl [--metric f1|accuracy|cer] [--sclite-weights] [--gold FILE --config CONFIG]
        [--output-file FILE]
"""

import argparse
from pathlib import Path
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.table import aligned
from nerzoo.compatibility import SubParsers
from nerzoo.evaluation.comparison import compare
from nerzoo.evaluation.sentence_counts import METRICS
from nerzoo.files import write_json


@Subcommand.register("compare")
class Compare(Subcommand):
    """Prints the scores of two systems with confidence intervals, and the p value of their difference."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Compare what two systems predict for the same sentences: their scores, with 95 % confidence intervals "
            "by bootstrap, and the p value of the difference by approximate randomisation over sentences."
        )
        subparser = parser.add_parser(self.name, description=description, help="Compare two systems' predictions.")
        what = "what `allennlp predict` wrote for the one system, with --use-dataset-reader unless there is --gold"
        subparser.add_argument("first", type=str, help=what)
        subparser.add_argument("second", type=str, help="the same for the other system")
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
    summary = compare(
        args.first,
        args.second,
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
    rows = [["", summary["metric"], "95 % interval", ""]]
    for name in ("first", "second", "difference"):
        low, high = summary[name]["confidence_interval"]
        rows.append([name, f"{summary[name]['score']:.4f}", f"{low:.4f} to {high:.4f}", summary[name].get("file", "")])
    rows[-1][-1] = f"p = {summary['p_value']:.4f}, {summary['num_sentences']} sentences"
    return aligned(rows)

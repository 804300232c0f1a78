"""
The `report` subcommand says what systems get right and wrong:

    allennlp report PREDICTIONS.jsonl --output-folder FOLDER [--train TRAIN --corpus columns]
    allennlp report A-1.jsonl A-2.jsonl --with B-1.jsonl B-2.jsonl --output-folder FOLDER
"""

import argparse
import sys
from typing import Any, Dict, List

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import aligned, not_negative
from nerzoo.commands.convert import from_name_or_json
from nerzoo.files import check_is_new
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.report_files import report_of_files, write_report
from nerzoo.reports.tables import written


@Subcommand.register("report")
class Report(Subcommand):
    """Writes a report of predictions as Markdown, JSON and a page of HTML, and prints the scores."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Report on predicted entities: scores by type, length, depth and by what training data has, kinds of "
            "errors, calibration, and the sentences with most errors; for several systems also their differences."
        )
        subparser = parser.add_parser(self.name, description=description, help="Report on predictions.")
        what = "what `allennlp predict` or `tag` wrote for a system, or for each of its runs with several seeds"
        subparser.add_argument("predictions", type=str, nargs="+", help=what)
        subparser.add_argument(
            "--with",
            dest="others",
            type=str,
            nargs="+",
            action="append",
            help="the same for another system; repeatable",
        )
        subparser.add_argument("--names", type=str, nargs="+", help="of the systems; by default those of their files")
        subparser.add_argument("--output-folder", type=str, required=True, help="folder to write, a new one")
        subparser.add_argument("--gold", type=str, help="file with the gold entities, unless the predictions have them")
        subparser.add_argument("--train", type=str, help="file with the training data")
        options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "tag_column": 1}\''
        subparser.add_argument("--corpus", type=str, help=f"the format of --gold and --train: {options}")
        subparser.add_argument("--config", type=str, help="a configuration whose dataset reader reads them instead")
        subparser.add_argument(
            "--predictions-corpus", type=str, help=f"the format of predictions, if another: {options}"
        )
        subparser.add_argument("--title", type=str, default="Report", help="the heading")
        subparser.add_argument(
            "--num-sentences", type=not_negative, default=200, help="the longest table of sentences in HTML"
        )
        subparser.add_argument("--num-resamples", type=int, default=9999, help="as in `compare`")
        subparser.add_argument("--seed", type=int, default=13370, help="as in `compare`")
        subparser.set_defaults(func=_report_from_args)
        return subparser


def _report_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    check_is_new(args.output_folder)
    corpora = [
        None if text is None else from_name_or_json(Corpus, text) for text in (args.corpus, args.predictions_corpus)
    ]
    report = report_of_files(
        [args.predictions, *(args.others or [])],
        args.names,
        args.gold,
        args.train,
        corpora[0],
        args.config,
        corpora[1],
        args.num_resamples,
        args.seed,
    )
    write_report(report, args.output_folder, args.title, args.num_sentences)
    for warning in report["warnings"]:
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{aligned(_scores(report), to_the_right=True)}\n{args.output_folder}/report.html", flush=True)
    return report


def _scores(report: Dict[str, Any]) -> List[List[str]]:
    rows = [["strict", "precision", "recall", "F1"]]
    for system in report["systems"]:
        strict = system["scores"]["strict"]
        rows.append([system["name"], *(written(strict[name], "score") for name in ("precision", "recall", "f1"))])
    return rows

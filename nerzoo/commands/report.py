"""
The `report` subcommand:

    nerzoo report PREDICTIONS.jsonl --output-folder FOLDER [--train TRAIN --corpus columns]
    nerzoo report A-1.jsonl A-2.jsonl --with B-1.jsonl B-2.jsonl --output-folder FOLDER
"""

import argparse
import shlex
import sys
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, from_name_or_json, not_negative
from nerzoo.files import check_is_new
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.report import report_from_files, write_report
from nerzoo.reports.tables import written
from nerzoo.text.rendering import aligned


@Subcommand.register("report")
class Report(Command):
    """
    Reports on predicted entities, as Markdown, JSON and HTML: scores by type, length, depth and occurrence in training
    data, kinds of errors, calibration, and the sentences with most errors; for several systems also their differences.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        predictions = "output of `nerzoo predict` or `nerzoo tag`: one file, or a file for each seed of a system"
        add("predictions", nargs="+", help=predictions)
        add("--with", dest="others", nargs="+", action="append", help="the same for another system; repeatable")
        add("--models", nargs="+", default=(), help="their models, names or archives, to name them in the report")
        add("--names", nargs="+", help="names of the systems; default: those of their files")
        add("--output-folder", required=True, help="new folder to write")
        add("--gold", help="file with the gold entities, if the predictions lack them")
        add("--train", help="file with the training data")
        options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "tag_column": 1}\''
        add("--corpus", help=f"the format of --gold and --train: {options}")
        add("--config", help="configuration whose dataset reader reads --gold and --train")
        add("--predictions-corpus", help=f"the format of predictions, if not JSON Lines: {options}")
        add("--title", default="Report", help="heading of the report")
        add("--num-sentences", type=not_negative, default=200, help="largest number of sentences in a table in HTML")
        add("--num-resamples", type=int, default=9999, help="number of resamples, as in `compare`")
        add("--seed", type=int, default=13370, help="seed of the resamples, as in `compare`")

    def run(self, args: argparse.Namespace) -> None:
        check_is_new(args.output_folder)
        corpus, predictions_corpus = (
            None if text is None else from_name_or_json(Corpus, text) for text in (args.corpus, args.predictions_corpus)
        )
        files, annotation = [args.predictions, *(args.others or [])], (args.gold, args.train, corpus, args.config)
        resampling = args.num_resamples, args.seed
        command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
        report = report_from_files(
            files, args.names, *annotation, predictions_corpus, *resampling, command, args.models
        )
        write_report(report, args.output_folder, args.title, args.num_sentences)
        for warning in report["warnings"]:
            print(f"warning: {warning}", file=sys.stderr)
        rows = [["strict", "precision", "recall", "F1", "95 % interval"]]
        for system in report["systems"]:
            scores = system["scores"]["strict"]
            shown = [written(scores[name], "score") for name in ("precision", "recall", "f1")]
            rows.append([system["name"], *shown, written(system["f1_interval"], "scores")])
        print(f"{aligned(rows, to_the_right=True)}\n{args.output_folder}/report.html", flush=True)

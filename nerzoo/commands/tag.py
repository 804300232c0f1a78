"""
The `tag` subcommand:

    allennlp tag model.tar.gz texts.txt --output-file tagged.jsonl
    allennlp tag model.tar.gz *.conllu --corpus conllu --output-format conllu --output-file tagged.conllu --workers 4
    allennlp tag model.tar.gz texts.txt --output-file tagged.jsonl --workers 4 --ray head:6379
"""

import argparse
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any, Dict

import torch
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.arguments import Command, add_source_arguments, load_tagger_and_source, prediction_writer
from nerzoo.inference.tag import Predict, tag
from nerzoo.inference.workers import predict_chunks, predict_over_ray


@Subcommand.register("tag")
class Tag(Command):
    """
    Predicts corpora, texts and tables of any size. The output appears when it is complete; until then the predictions
    are in OUTPUT_FILE.journal, from which --resume continues after any interruption.
    """

    help = "Tag files of any size and format."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_source_arguments(parser)
        add = parser.add_argument
        add("--output-file", required=True, help="file to write or, for brat, folder")
        output_format = "jsonl: the output of `allennlp predict`; or another format: its name, or JSON with its options"
        add("--output-format", default="jsonl", help=output_format)
        add("--workers", type=int, default=0, help="number of processes, each with one thread")
        ray = (
            "predict by actors of Ray: as many as --workers, or one per GPU or CPU, on the cluster at ADDRESS or in "
            "the variable RAY_ADDRESS, or else on this machine"
        )
        add("--ray", nargs="?", const=os.environ.get("RAY_ADDRESS", "local"), metavar="ADDRESS", help=ray)
        errors = "for an item that cannot be predicted: end the run, or write its error in its place"
        add("--errors", choices=["raise", "yield"], default="raise", help=errors)
        ends = parser.add_mutually_exclusive_group()
        ends.add_argument("--resume", action="store_true", help="continue the same command after an interruption")
        ends.add_argument("--force", action="store_true", help="replace an output that exists, and start again")

    def run(self, args: argparse.Namespace) -> None:
        if args.workers < 0:
            raise ConfigurationError(f"found --workers {args.workers}, expected 0 or more")
        if args.ray is not None and args.cuda_device >= 0:
            found = f"found --cuda-device {args.cuda_device} and --ray"
            raise ConfigurationError(f"{found}, expected one of them: actors have a GPU if Ray has any")
        predict: Predict = partial(predict_chunks, workers=args.workers)
        if args.ray is not None:
            predict = partial(predict_over_ray, workers=args.workers, address=args.ray)
        writer = None if args.output_format == "jsonl" else prediction_writer(args.output_format)
        num_threads = torch.get_num_threads()
        if args.workers and args.cuda_device < 0:
            # A child of a process that has used several threads may wait for them forever.
            torch.set_num_threads(1)
        try:
            tagger, source = load_tagger_and_source(args)
            options = {"resume": args.resume, "force": args.force, "errors": args.errors}
            tag(tagger, source, args.inputs, args.output_file, writer, _settings(args), predict, **options)
        except KeyboardInterrupt:
            print(f"{args.output_file}: interrupted; the same command with --resume goes on", file=sys.stderr)
            raise SystemExit(128 + signal.SIGINT) from None
        finally:
            torch.set_num_threads(num_threads)


def _settings(args: argparse.Namespace) -> Dict[str, Any]:
    """Returns the settings that a run shares with the one that continues it."""
    names = ("corpus", "input_format", "column", "overrides", "output_format", "errors")
    archive = Path(args.archive_file)
    known = str(archive.resolve()) if archive.exists() else args.archive_file
    size = archive.stat().st_size if archive.is_file() else None
    return {"archive": [known, size], **{name: getattr(args, name) for name in names}}

"""
The `tag` subcommand predicts corpora and texts of any size:

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

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import add_source_arguments, prediction_writer, source_from_args, tagger_from_args
from nerzoo.inference.ray_workers import predict_over_ray
from nerzoo.inference.tag import Predict, tag
from nerzoo.inference.workers import predict_chunks


@Subcommand.register("tag")
class Tag(Subcommand):
    """Predicts files of any size and format, in several processes if asked to, and goes on where it was interrupted."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Predict corpora, texts and tables of any size. The output appears when it is whole; until then "
            "predictions are in OUTPUT_FILE.journal, from which --resume goes on, however the run before ended."
        )
        subparser = parser.add_parser(self.name, description=description, help="Tag files of any size and format.")
        add_source_arguments(subparser)
        subparser.add_argument("--output-file", type=str, required=True, help="file to write or, for brat, folder")
        subparser.add_argument(
            "--output-format",
            type=str,
            default="jsonl",
            help="jsonl: what `allennlp predict` gives; or the name of another format, or JSON with its options",
        )
        subparser.add_argument("--workers", type=int, default=0, help="processes that predict, with a thread each")
        subparser.add_argument(
            "--ray",
            nargs="?",
            const=os.environ.get("RAY_ADDRESS", "local"),
            metavar="ADDRESS",
            help="predict by so many actors of Ray, by default one a GPU or CPU, on the cluster at an address, on that "
            "which the variable RAY_ADDRESS names, or else on this machine",
        )
        subparser.add_argument(
            "--errors",
            choices=["raise", "yield"],
            default="raise",
            help="what becomes of an item that cannot be predicted: the run ends, or there is its error",
        )
        ends = subparser.add_mutually_exclusive_group()
        ends.add_argument("--resume", action="store_true", help="go on where the same command was interrupted")
        ends.add_argument("--force", action="store_true", help="replace an output that exists, and start anew")
        subparser.set_defaults(func=_tag_from_args)
        return subparser


def _tag_from_args(args: argparse.Namespace) -> None:
    if args.workers < 0:
        raise ConfigurationError(f"found --workers {args.workers}, expected 0 or more")
    if args.ray is not None and args.cuda_device >= 0:
        raise ConfigurationError(
            f"found --cuda-device {args.cuda_device} and --ray, expected one of them: actors have a GPU if Ray has any"
        )
    predict: Predict = partial(predict_chunks, workers=args.workers)
    if args.ray is not None:
        predict = partial(predict_over_ray, workers=args.workers, address=args.ray)
    writer = None if args.output_format == "jsonl" else prediction_writer(args.output_format)
    num_threads = torch.get_num_threads()
    if args.workers and args.cuda_device < 0:
        # Children of a process that has computed in several threads may wait for these forever.
        torch.set_num_threads(1)
    try:
        tagger = tagger_from_args(args)
        tag(
            tagger,
            source_from_args(args, tagger),
            args.inputs,
            args.output_file,
            writer,
            _settings(args),
            predict,
            args.resume,
            args.force,
            args.errors,
        )
    except KeyboardInterrupt:
        print(f"{args.output_file}: interrupted; the same command with --resume goes on", file=sys.stderr)
        raise SystemExit(128 + signal.SIGINT) from None
    finally:
        torch.set_num_threads(num_threads)


def _settings(args: argparse.Namespace) -> Dict[str, Any]:
    """What a run has in common with the one that goes on with it."""
    names = ("corpus", "input_format", "column", "overrides", "output_format", "errors")
    archive = Path(args.archive_file)
    known = str(archive.resolve()) if archive.exists() else args.archive_file
    size = archive.stat().st_size if archive.is_file() else None
    return {"archive": [known, size], **{name: getattr(args, name) for name in names}}

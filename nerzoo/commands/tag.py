"""
The `tag` subcommand:

    nerzoo tag texts.txt
    nerzoo tag model.tar.gz texts.txt --output-file tagged.jsonl
    nerzoo tag model.tar.gz *.conllu --corpus conllu --output-format conllu --output-file tagged.conllu --workers 4
    nerzoo tag model.tar.gz texts.txt --output-file tagged.jsonl --workers 4 --ray head:6379
"""

import argparse
import shutil
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Dict, Optional

import torch
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo import archives
from nerzoo.commands.arguments import Command, load_tagger_and_source, prediction_writer
from nerzoo.errors import worded
from nerzoo.files import digest
from nerzoo.formats.corpus import AnnotationWriter, TextWriter
from nerzoo.inference.ner import NerPredictor
from nerzoo.inference.sources import Source, all_items
from nerzoo.inference.tag import Predict, tag
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.workers import predict_chunks, predict_over_ray
from nerzoo.zoo.command import SHOWN_FORMATS, add_tag_arguments, model_and_inputs, set_output, show


@Subcommand.register("tag")
class Tag(Command):
    """
    Tags texts, corpora and tables of any size. The output file appears when it is complete. Until then the predictions
    are in OUTPUT_FILE.journal, from which --resume continues after any interruption.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_tag_arguments(parser)

    def run(self, args: argparse.Namespace) -> None:
        with worded():
            args.archive_file, args.inputs = model_and_inputs(args)
            set_output(args)
        is_shown = args.output_file is None
        if is_shown and (args.workers or args.ray is not None or args.resume):
            raise ConfigurationError("found --workers, --ray or --resume, expected --output-file with it")
        if args.workers < 0:
            raise ConfigurationError(f"found --workers {args.workers}, expected 0 or more")
        if args.ray is not None and args.cuda_device >= 0:
            found = f"found --cuda-device {args.cuda_device} and --ray"
            raise ConfigurationError(f"{found}, expected one of them: actors have a GPU if Ray has any")
        predict: Predict = partial(predict_chunks, workers=args.workers)
        if args.ray is not None:
            predict = partial(predict_over_ray, workers=args.workers, address=args.ray)
        is_plain = args.output_format in (SHOWN_FORMATS if is_shown else ["jsonl"])
        writer = None if is_plain else prediction_writer(args.output_format)
        num_threads = torch.get_num_threads()
        if args.workers and args.cuda_device < 0:
            # A child of a process that has used several threads may wait for them forever.
            torch.set_num_threads(1)
        try:
            tagger, source = load_tagger_and_source(args)
            if is_shown:
                _show(tagger, source, args, writer)
                return
            options = {"resume": args.resume, "force": args.force, "errors": args.errors}
            tag(tagger, source, args.inputs, args.output_file, writer, _settings(args), predict, **options)
        except KeyboardInterrupt:
            print(f"{args.output_file}: interrupted; the same command with --resume goes on", file=sys.stderr)
            raise SystemExit(128 + signal.SIGINT) from None
        finally:
            torch.set_num_threads(num_threads)


def _show(tagger: Tagger, source: Source, args: argparse.Namespace, writer: Optional[AnnotationWriter]) -> None:
    """Writes predictions to the screen."""
    if args.output_format != "jsonl" and not isinstance(tagger.predictor, NerPredictor):
        found = f"found a model that does not tag words, and the format {args.output_format}"
        raise ConfigurationError(f"{found}, expected --output-format jsonl for it")
    if writer is None:
        with worded():
            show(tagger, all_items(source, args.inputs), sys.stdout, args.output_format, args.errors)
        return
    if not isinstance(writer, TextWriter):
        raise ConfigurationError(f"found the format {args.output_format}, which is no text, and no --output-file")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "output")
        tag(tagger, source, args.inputs, output, writer, errors=args.errors)
        with output.open(encoding="utf-8") as file:
            shutil.copyfileobj(file, sys.stdout)


def _settings(args: argparse.Namespace) -> Dict[str, Any]:
    """Returns the settings that a run shares with the one that continues it."""
    names = ("corpus", "input_format", "column", "text_unit", "overrides", "output_format", "errors", "engine")
    archive = Path(args.archive_file)
    known = str(archive.resolve()) if archive.exists() else args.archive_file
    # The folder of a model may be that of the output, too.
    sha256 = digest(archives.find(args.archive_file), f"{Path(args.output_file).resolve()}.journal")
    return {"archive": [known, sha256], **{name: getattr(args, name) for name in names}}

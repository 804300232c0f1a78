"""
The `tag` subcommand predicts corpora and texts of any size:

    allennlp tag model.tar.gz texts.txt --output-file tagged.jsonl
    allennlp tag model.tar.gz *.conllu --corpus conllu --output-format conllu --output-file tagged.conllu --workers 4
"""

import argparse
from pathlib import Path
from typing import Any, Dict, Optional

import torch
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.convert import from_name_or_json
from nerzoo.compatibility import SubParsers
from nerzoo.data.corpora import Corpus
from nerzoo.data.threads import ThreadCorpus
from nerzoo.data.writers import AnnotationWriter
from nerzoo.predictors import ThreadsPredictor
from nerzoo.predictors.json_predictor import BATCH_TOKENS
from nerzoo.tagging.sources import Source, corpus_items, default_source, json_items, parquet_items, text_items
from nerzoo.tagging.tag import tag
from nerzoo.tagging.tagger import Tagger

_SOURCES = {"text": text_items, "jsonl": json_items}


@Subcommand.register("tag")
class Tag(Subcommand):
    """Predicts files of any size and format, in several processes if asked to, and goes on where it was interrupted."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Predict corpora, texts and tables of any size. The output appears when it is whole; until then "
            "predictions are in OUTPUT_FILE.journal, from which --resume goes on, however the run before ended."
        )
        subparser = parser.add_parser(self.name, description=description, help="Tag files of any size and format.")
        subparser.add_argument("archive_file", type=str, help="archive, folder, URL or hf://owner/name@revision")
        subparser.add_argument("inputs", nargs="+", metavar="input", help="files or URLs; - is the standard input")
        subparser.add_argument("--output-file", type=str, required=True, help="file to write or, for brat, folder")
        kinds = subparser.add_mutually_exclusive_group()
        options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "tag_column": null}\''
        kinds.add_argument("--corpus", type=str, help=f"read a corpus, but not its entities: {options}")
        kinds.add_argument(
            "--input-format",
            choices=list(_SOURCES),
            help="text: a text a line; jsonl: what `allennlp predict` takes. By default the ending of the file says it",
        )
        kinds.add_argument("--column", type=str, help="read Parquet: the column of texts or of lists of words")
        subparser.add_argument(
            "--output-format",
            type=str,
            default="jsonl",
            help="jsonl: what `allennlp predict` gives; or the name of another format, or JSON with its options",
        )
        subparser.add_argument("--workers", type=int, default=0, help="processes that predict, with a thread each")
        subparser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS, help="tokens predicted at a time")
        subparser.add_argument("--cuda-device", type=int, default=-1, help="number of the GPU to use, if any")
        subparser.add_argument("-o", "--overrides", type=str, default="", help="changes of the configuration, as JSON")
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
    writer = None if args.output_format == "jsonl" else _writer(args.output_format)
    num_threads = torch.get_num_threads()
    if args.workers and args.cuda_device < 0:
        # Children of a process that has computed in several threads may wait for these forever.
        torch.set_num_threads(1)
    try:
        tagger = Tagger.load(args.archive_file, args.cuda_device, args.batch_tokens, args.overrides)
        tag(
            tagger,
            _source(args, tagger),
            args.inputs,
            args.output_file,
            writer,
            _settings(args),
            args.workers,
            args.resume,
            args.force,
            args.errors,
        )
    finally:
        torch.set_num_threads(num_threads)


def _writer(output_format: str) -> AnnotationWriter:
    if output_format == "label_studio":
        output_format = '{"type": "label_studio", "results": "predictions"}'
    return from_name_or_json(AnnotationWriter, output_format)


def _source(args: argparse.Namespace, tagger: Tagger) -> Source:
    if args.corpus is not None:
        base: Any = ThreadCorpus if isinstance(tagger.predictor, ThreadsPredictor) else Corpus
        return corpus_items(from_name_or_json(base, args.corpus), tagger.predictor)
    if args.column is not None:
        return parquet_items(args.column)
    if args.input_format is not None:
        return _SOURCES[args.input_format]
    sources = [default_source(path) for path in args.inputs]
    source: Optional[Source] = sources[0]
    if source is None or len(set(sources)) > 1:
        raise ConfigurationError(
            f"found {' '.join(args.inputs)}, whose endings do not tell a format, expected .txt, a text a line, or "
            ".jsonl; or --corpus, --column or --input-format"
        )
    return source


def _settings(args: argparse.Namespace) -> Dict[str, Any]:
    """What a run has in common with the one that goes on with it."""
    names = ("corpus", "input_format", "column", "overrides", "output_format", "errors")
    archive = Path(args.archive_file)
    known = str(archive.resolve()) if archive.exists() else args.archive_file
    size = archive.stat().st_size if archive.is_file() else None
    return {"archive": [known, size], **{name: getattr(args, name) for name in names}}

"""Arguments of the commands that predict files of any format."""

import argparse
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from nerzoo.commands.convert import from_name_or_json
from nerzoo.data.corpora import Corpus
from nerzoo.data.threads import ThreadCorpus
from nerzoo.data.writers import AnnotationWriter
from nerzoo.predictors import ThreadsPredictor
from nerzoo.runtime.token_batches import BATCH_TOKENS
from nerzoo.tagging.sources import Source, corpus_items, default_source, json_items, parquet_items, text_items
from nerzoo.tagging.tagger import Tagger

_SOURCES = {"text": text_items, "jsonl": json_items}


def add_source_arguments(subparser: argparse.ArgumentParser) -> None:
    """Adds those that say which model reads which files, and how."""
    subparser.add_argument("archive_file", type=str, help="archive, folder, URL or hf://owner/name@revision")
    subparser.add_argument("inputs", nargs="+", metavar="input", help="files or URLs; - is the standard input")
    kinds = subparser.add_mutually_exclusive_group()
    options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "tag_column": null}\''
    kinds.add_argument("--corpus", type=str, help=f"read a corpus, but not its entities: {options}")
    kinds.add_argument(
        "--input-format",
        choices=list(_SOURCES),
        help="text: a text a line; jsonl: what `allennlp predict` takes. By default the ending of the file says it",
    )
    kinds.add_argument("--column", type=str, help="read Parquet: the column of texts or of lists of words")
    subparser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS, help="tokens predicted at a time")
    subparser.add_argument("--cuda-device", type=int, default=-1, help="number of the GPU to use, if any")
    subparser.add_argument("-o", "--overrides", type=str, default="", help="changes of the configuration, as JSON")
    subparser.add_argument(
        "--allow",
        nargs="+",
        default=[],
        metavar="NAME",
        help="files, addresses, models of the hub and class paths that the archive of a stranger may name",
    )


def tagger_from_args(args: argparse.Namespace) -> Tagger:
    """Loads the model."""
    return Tagger.load(args.archive_file, args.cuda_device, args.batch_tokens, args.overrides, args.allow)


def source_from_args(args: argparse.Namespace, tagger: Tagger) -> Source:
    """Returns what reads the files. Raises `ConfigurationError` where nothing tells their format."""
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


def prediction_writer(output_format: str) -> AnnotationWriter:
    """Makes the writer of a format, by its name or by JSON, for predictions."""
    if output_format == "label_studio":
        output_format = '{"type": "label_studio", "results": "predictions"}'
    return from_name_or_json(AnnotationWriter, output_format)

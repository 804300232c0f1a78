"""
Types of arguments that are numbers; argparse names the argument in the error.

The arguments that the subcommands that train models share.

The arguments that the subcommands for folds share.

Arguments of the commands that predict files of any format.
"""

import argparse
from typing import Any, Dict, List, Optional

from allennlp.common.checks import ConfigurationError

from nerzoo.commands.convert import from_name_or_json
from nerzoo.configuration_check import read_configuration
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.threads import ThreadCorpus
from nerzoo.formats.writer import AnnotationWriter
from nerzoo.inference.sources import Source, corpus_items, default_source, json_items, parquet_items, text_items
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.threads import ThreadsPredictor
from nerzoo.text.token_batches import BATCH_TOKENS


def positive(text: str) -> int:
    """Reads an integer of at least 1."""
    return _at_least(1, text)


def not_negative(text: str) -> int:
    """Reads an integer of at least 0."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"found {text}, expected {least} or more")
    return number


def aligned(rows: List[List[str]], to_the_right: bool = False) -> str:
    """
    Makes lines of text from rows of cells, as many in each row. Each column is as wide as its widest cell. Cells stand
    at the left of their columns or, if asked for, those of all columns but the first at the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if to_the_right and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def add_training_arguments(subparser: argparse.ArgumentParser, directory: str) -> None:
    """
    Adds arguments of `allennlp train`.

    # Parameters

    subparser : `argparse.ArgumentParser`
    directory : `str`
        The description of the output folder.
    """
    subparser.add_argument("-s", "--serialization-dir", required=True, type=str, help=directory)
    subparser.add_argument(
        "-o",
        "--overrides",
        type=str,
        default="",
        help="a JSON structure that overrides parts of the configuration, as in `allennlp train`",
    )
    subparser.add_argument(
        "--file-friendly-logging",
        action="store_true",
        default=False,
        help="outputs tqdm status on separate lines and slows tqdm refresh rate",
    )


def add_fold_arguments(subparser: argparse.ArgumentParser, num_folds: int, directory: str) -> None:
    """
    Adds the arguments of the subcommands for folds.

    # Parameters

    subparser : `argparse.ArgumentParser`
    num_folds : `int`
        The default number of folds.
    directory : `str`
        The description of the output folder.
    """
    subparser.add_argument("param_path", type=str, help="path to the configuration of the model to be trained")
    subparser.add_argument("--folds", type=int, default=num_folds, help="number of folds")
    subparser.add_argument(
        "--seed", type=int, default=13370, help="decides which document is in which fold, and nothing else"
    )
    add_training_arguments(subparser, directory)


def fold_arguments(args: argparse.Namespace) -> Dict[str, Any]:
    """Returns the values of the arguments as the keyword arguments of a function that trains on folds."""
    return {
        "params": read_configuration(args.param_path, args.overrides),
        "serialization_dir": args.serialization_dir,
        "num_folds": args.folds,
        "seed": args.seed,
        "include_package": args.include_package,
        "file_friendly_logging": args.file_friendly_logging,
    }


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

"""
The `convert` subcommand turns a corpus of any format that nerzoo reads into any that it writes:

    allennlp convert train.txt --corpus columns --output-format conllu --output-file train.conllu
    allennlp convert annotated --corpus brat --output-format '{"type": "jsonl"}' --output-file annotated.jsonl
"""

import argparse
import logging
import sys
from typing import Any, Type, TypeVar

from allennlp.commands.subcommand import Subcommand
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.allennlp_private import SubParsers
from nerzoo.configuration_check import from_options
from nerzoo.errors import shortened
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.json_text import JsonError, parse_json
from nerzoo.formats.writer import AnnotationWriter

_Format = TypeVar("_Format", bound=Registrable)


@Subcommand.register("convert")
class Convert(Subcommand):
    """Converts a corpus. What the output format cannot express is counted, and named in a line on standard error."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = "Convert a corpus to another format; count and name what that cannot express."
        subparser = parser.add_parser(self.name, description=description, help="Convert a corpus to another format.")
        subparser.add_argument("input", type=str, help="file or folder of the corpus")
        options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "coding_scheme": "IOB1"}\''
        subparser.add_argument("--corpus", required=True, type=str, help=f"the format of the input: {options}")
        subparser.add_argument("--output-format", required=True, type=str, help="the format of the output, likewise")
        subparser.add_argument("--output-file", required=True, type=str, help="file or folder to write, a new one")
        subparser.set_defaults(func=_convert_from_args)
        return subparser


def _convert_from_args(args: argparse.Namespace) -> None:
    convert(args.input, args.corpus, args.output_format, args.output_file)


def convert(input_file: str, corpus: str, output_format: str, output_file: str) -> AnnotationWriter:
    """
    Converts a corpus, whole or not at all.

    # Parameters

    input_file : `str`
    corpus : `str`
        The name of a `Corpus`, or JSON with its `type` and options.
    output_format : `str`
        The name of an `AnnotationWriter`, or JSON with its `type` and options.
    output_file : `str`
        A file or, for some formats, a folder. There must be nothing yet.

    # Returns

    `AnnotationWriter`
        The writer; its `losses` say what was left out.

    # Raises

    `ConfigurationError` where a format is unknown, the input is not in its format, or the output exists.
    """
    reader = from_name_or_json(Corpus, corpus)
    writer = from_name_or_json(AnnotationWriter, output_format)
    # What the corpus leaves out of the file is said, too.
    logging.getLogger(Corpus.__module__.rpartition(".")[0]).setLevel(logging.INFO)
    writer.write_all(reader.read(input_file), output_file)
    if writer.losses:
        print(f"{output_file}: left out, as {output_format} cannot express it: {writer.lost()}", file=sys.stderr)
    return writer


def from_name_or_json(base: Type[_Format], text: str) -> _Format:
    """Makes an object of a registered class. Raises `ConfigurationError` where `text` is neither a name nor JSON."""
    params: Any = {"type": text}
    if text.lstrip().startswith("{"):
        try:
            params = parse_json(text)
        except JsonError as error:
            raise ConfigurationError(
                f"found {shortened(text)!r} ({error}), expected a name, or a JSON object"
            ) from None
    if params.get("type") not in base.list_available():
        found, available = shortened(repr(params.get("type"))), ", ".join(base.list_available())
        raise ConfigurationError(f"found the format {found}, expected one of {available}")
    return from_options(base, params)

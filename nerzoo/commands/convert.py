"""
The subcommands `convert`, for any formats of corpora that nerzoo reads and writes, and `convert-threads`, for threads
with reply links:

    nerzoo convert train.txt --output-file train.conllu
    nerzoo convert train.jsonl --corpus prodigy --output-format spacy --output-file train.spacy
    nerzoo convert annotated --corpus brat --output-format '{"type": "jsonl"}' --output-file annotated.jsonl
    nerzoo convert-threads molweni dev.json.gz test.json.gz --group-shared-posts --output-file molweni.jsonl
    nerzoo convert-threads irc 'ubuntu-ascii-annotation.tar.gz!data/train' --output-file irc-train.jsonl
"""

import argparse
import json
import logging
import sys
from pathlib import Path
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.arguments import Command, add_corpus_argument, format_names, from_name_or_json, shown_counts
from nerzoo.configuration.check import from_options
from nerzoo.errors import format_error
from nerzoo.files import check_is_new, parse_json, write_text
from nerzoo.formats.corpus import AnnotationWriter, Corpus, format_name, format_of_ending
from nerzoo.formats.threads import Thread, ThreadCorpus, group_by_shared_posts, thread_to_json

logger = logging.getLogger(__name__)


@Subcommand.register("convert")
class Convert(Command):
    """Converts a corpus to another format, whole or not at all. Counts and names what that format cannot express."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("input", help="file or folder of the corpus")
        add_corpus_argument(parser)
        formats = format_names(AnnotationWriter)
        parser.add_argument("--output-format", help=f"the format of the output, likewise: one of {formats}")
        parser.add_argument("--output-file", required=True, help="new file or folder to write")

    def run(self, args: argparse.Namespace) -> None:
        output_format = format_of_ending(args.output_file) if args.output_format is None else args.output_format
        if output_format is None:
            raise format_error(args.output_file, "an ending of no format", "another one, or --output-format")
        reader = from_name_or_json(Corpus, format_name(args.input) if args.corpus is None else args.corpus)
        writer = from_name_or_json(AnnotationWriter, output_format)
        with shown_counts():
            writer.write_all(reader.read(args.input), args.output_file)
        if writer.losses:
            lost = f"left out, as {output_format} cannot express it: {writer.lost()}"
            print(f"{args.output_file}: {lost}", file=sys.stderr)


@Subcommand.register("convert-threads")
class ConvertThreads(Command):
    """Converts threads with reply links from any format to JSON Lines, one thread per line."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("format", choices=ThreadCorpus.list_available(), help="the format of the input")
        parser.add_argument("inputs", nargs="+", help="files of that format or, for irc, folders")
        parser.add_argument("--output-file", required=True, help="new file to write")
        options = "options of the format as JSON, e.g. '{\"max_posts\": 100}'"
        parser.add_argument("--corpus-args", type=_options, default={}, help=options)
        group = "put threads that share a post, text and author, into a group, which cross-validation never divides"
        parser.add_argument("--group-shared-posts", action="store_true", help=group)

    def run(self, args: argparse.Namespace) -> None:
        check_is_new(args.output_file)
        corpus = from_options(ThreadCorpus, {"type": args.format, **args.corpus_args})
        threads: Dict[str, Thread] = {}
        for path in args.inputs:
            for thread in corpus.read(path):
                if thread.id in threads:
                    found = f"a thread with the id {thread.id!r}, as in an input before"
                    raise ConfigurationError(f"{path}: found {found}, expected another id")
                threads[thread.id] = thread
        converted = group_by_shared_posts([*threads.values()]) if args.group_shared_posts else [*threads.values()]
        write_text(Path(args.output_file), "".join(json.dumps(thread_to_json(thread)) + "\n" for thread in converted))
        num_groups = len({thread.group or thread.id for thread in converted})
        logger.info("%s: wrote %d threads in %d groups", args.output_file, len(converted), num_groups)


def _options(text: str) -> Dict[str, Any]:
    options = parse_json(text)
    if not isinstance(options, dict):
        raise ValueError(text)
    return options

"""
The `convert-threads` subcommand turns threads with reply links, of any format that nerzoo reads, into the JSON Lines
form of `nerzoo.formats.thread_jsonl.JsonlThreads`.

    allennlp convert-threads molweni dev.json.gz test.json.gz --group-shared-posts --output-file molweni.jsonl
    allennlp convert-threads irc 'ubuntu-ascii-annotation.tar.gz!data/train' --output-file irc-train.jsonl
"""

import argparse
import json
import logging
from pathlib import Path
from typing import Any, Dict

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.allennlp_private import SubParsers
from nerzoo.configuration_check import from_options
from nerzoo.files import check_is_new, write_text
from nerzoo.formats.json_text import parse_json
from nerzoo.formats.threads import Thread, ThreadCorpus, group_by_shared_posts, thread_to_json

logger = logging.getLogger(__name__)


@Subcommand.register("convert-threads")
class ConvertThreads(Subcommand):
    """Converts threads of any format to JSON Lines."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = "Convert threads with reply links to JSON Lines, one thread a line."
        subparser = parser.add_parser(self.name, description=description, help=description)
        subparser.add_argument("format", choices=ThreadCorpus.list_available(), help="the format of the input")
        subparser.add_argument("inputs", nargs="+", help="files of that format or, for irc, folders")
        subparser.add_argument("--output-file", required=True, help="the file to write, a new one")
        subparser.add_argument(
            "--corpus-args",
            type=_options,
            default={},
            help="options of the format as JSON, e.g. '{\"max_posts\": 100}'",
        )
        subparser.add_argument(
            "--group-shared-posts",
            action="store_true",
            help="put threads that share a post, text and author, in one group, not to be parted in a cross-validation",
        )
        subparser.set_defaults(func=_convert_threads)
        return subparser


def _options(text: str) -> Dict[str, Any]:
    options = parse_json(text)
    if not isinstance(options, dict):
        raise ValueError(text)
    return options


def _convert_threads(args: argparse.Namespace) -> None:
    check_is_new(args.output_file)
    corpus = from_options(ThreadCorpus, {"type": args.format, **args.corpus_args})
    threads: Dict[str, Thread] = {}
    for path in args.inputs:
        for thread in corpus.read(path):
            if thread.id in threads:
                raise ConfigurationError(
                    f"{path}: found a thread with the id {thread.id!r}, as in an input before, expected another id"
                )
            threads[thread.id] = thread
    converted = list(threads.values())
    if args.group_shared_posts:
        converted = group_by_shared_posts(converted)
    write_text(Path(args.output_file), "".join(json.dumps(thread_to_json(thread)) + "\n" for thread in converted))
    num_groups = len({thread.group or thread.id for thread in converted})
    logger.info("%s: wrote %d threads in %d groups", args.output_file, len(converted), num_groups)

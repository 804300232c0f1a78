"""
The `publish` subcommand makes the folder of a trained model that the Hugging Face hub takes, with a model card, and
uploads it if told to:

    allennlp publish ARCHIVE FOLDER [--evaluate FILE] [--license ID] [--language CODE ...] [--push OWNER/NAME]
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, Iterator

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.deploy.publish import needed_files, publish

_ABSOLUTE = re.compile(r"(/|~|[A-Za-z]:[\\/]).+")


@Subcommand.register("publish")
class Publish(Subcommand):
    """Makes a folder of configuration, vocabulary, weights as safetensors, and a model card."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Make the folder of a trained model that the Hugging Face hub takes: configuration, vocabulary, weights as "
            "safetensors, and a model card. `predict` and `evaluate` take the folder in place of the archive. Nothing "
            "is uploaded without --push."
        )
        subparser = parser.add_parser(self.name, description=description, help="Publish a trained model.")
        subparser.add_argument("archive_file", type=str, help="path to an archive, or to the folder of a training")
        subparser.add_argument("folder", type=str, help="the folder to make, a new one")
        subparser.add_argument("--evaluate", type=str, metavar="FILE", help="data to evaluate on, for the model card")
        subparser.add_argument("--license", type=str, help="a licence by its name on the hub, such as cc-by-4.0")
        subparser.add_argument("--language", type=str, nargs="+", metavar="CODE", help="languages, such as en")
        subparser.add_argument("--push", type=str, metavar="OWNER/NAME", help="the repository to upload the folder to")
        subparser.add_argument("--private", action="store_true", help="if --push has to make it, make it private")
        subparser.set_defaults(func=_publish_from_args)
        return subparser


def _publish_from_args(args: argparse.Namespace) -> Path:
    folder = publish(
        args.archive_file, args.folder, args.evaluate, args.license, args.language, args.push, args.private
    )
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    said = {
        "has absolute paths, as in training": sorted(set(filter(_ABSOLUTE.fullmatch, _strings(config)))),
        "needs files that are not in the folder": needed_files(config),
    }
    for what, paths in said.items():
        if paths:
            print(f"{folder}/config.json {what}: {', '.join(paths)}", file=sys.stderr)
    return folder


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)

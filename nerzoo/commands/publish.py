"""
The `publish` subcommand:

    nerzoo publish ARCHIVE FOLDER [--evaluate FILE] [--license ID] [--language CODE ...] [--bits 8]
        [--push OWNER/NAME]
"""

import argparse
import json
import re
import sys

from allennlp.commands.subcommand import Subcommand

from nerzoo.archives.trust import strings
from nerzoo.commands.arguments import Command
from nerzoo.deploy.publish import needed_files, publish

_ABSOLUTE = re.compile(r"(/|~|[A-Za-z]:[\\/]).+")


@Subcommand.register("publish")
class Publish(Command):
    """
    Writes a trained model as a folder for the Hugging Face hub: configuration, vocabulary, weights as safetensors, and
    a model card. `predict` and `evaluate` take the folder in place of the archive. Nothing is uploaded without --push.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("archive_file", help="path of an archive, or of the folder of a training")
        parser.add_argument("folder", help="new folder to write")
        parser.add_argument("--evaluate", metavar="FILE", help="data to evaluate on, for the model card")
        parser.add_argument("--license", help="name of a licence on the hub, such as cc-by-4.0")
        parser.add_argument("--language", nargs="+", metavar="CODE", help="codes of languages, such as en")
        parser.add_argument(
            "--bits", type=int, choices=(8, 32), default=32, help="size of a number in large tables of weights"
        )
        parser.add_argument("--push", metavar="OWNER/NAME", help="repository to upload the folder to")
        parser.add_argument("--private", action="store_true", help="make a repository that --push creates private")

    def run(self, args: argparse.Namespace) -> None:
        options = (args.evaluate, args.license, args.language, args.push, args.private, args.bits)
        folder = publish(args.archive_file, args.folder, *options)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        found = {
            "has absolute paths, as in training": sorted(set(filter(_ABSOLUTE.fullmatch, strings(config)))),
            "needs files that are not in the folder": needed_files(config, folder),
        }
        for problem, paths in found.items():
            if paths:
                print(f"{folder}/config.json {problem}: {', '.join(paths)}", file=sys.stderr)

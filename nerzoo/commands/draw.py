"""
The `draw` subcommand:

    nerzoo draw predictions.jsonl --sentence 3 --output-file attention.svg
    nerzoo draw predictions.jsonl --sentence 3,7,12 --output-file attention.html --what relative_attention
"""

import argparse
from pathlib import Path
from typing import List

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command
from nerzoo.reports.draw import DRAWINGS, draw


@Subcommand.register("draw")
class Draw(Command):
    """
    Draws predicted sentences as SVG or HTML: entities, attention with the tree, the memory of a document, the gate of
    characters, two decoders, or the links of a thread.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("predictions", help="output of `nerzoo predict` or `nerzoo tag`")
        numbers = "numbers of sentences or threads in the file, counted from 1; several need HTML"
        parser.add_argument("--sentence", type=_numbers, required=True, metavar="N[,M...]", help=numbers)
        parser.add_argument("--output-file", type=Path, required=True, help="*.svg or *.html")
        kinds = "kinds of drawings; default: all that the predictions allow"
        parser.add_argument("--what", choices=list(DRAWINGS), nargs="+", default=[], help=kinds)

    def run(self, args: argparse.Namespace) -> None:
        draw(args.predictions, args.sentence, args.output_file, args.what)


def _numbers(text: str) -> List[int]:
    """Reads `3,7` as numbers, without duplicates. argparse reports a `ValueError`."""
    return list(dict.fromkeys(map(int, text.split(","))))

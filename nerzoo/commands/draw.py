"""
The `draw` subcommand draws what predictions hold: entities, attention, memory, gates, decoders, links:

    allennlp draw predictions.jsonl --sentence 3 --output-file attention.svg
    allennlp draw predictions.jsonl --sentence 3,7,12 --output-file attention.html --what relative_attention
"""

import argparse
from pathlib import Path
from typing import List

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.reports.draw import DRAWINGS, draw


@Subcommand.register("draw")
class Draw(Subcommand):
    """Draws sentences of a file of predictions as SVG or HTML."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Draw what predictions hold of a sentence: its entities, what its words attend to, with the tree, "
            "the memory of its document, the gate of characters, two decoders, or the links of a thread."
        )
        subparser = parser.add_parser(self.name, description=description, help="Draw what a model attends to.")
        subparser.add_argument("predictions", type=str, help="what `allennlp predict` or `allennlp tag` wrote")
        subparser.add_argument(
            "--sentence",
            type=_numbers,
            required=True,
            metavar="N[,M...]",
            help="which sentences, or threads, of the file, from 1; several are for HTML",
        )
        subparser.add_argument("--output-file", type=Path, required=True, help="*.svg or *.html")
        what = "what to draw; by default, all that the predictions hold something for"
        subparser.add_argument("--what", choices=list(DRAWINGS), nargs="+", default=[], help=what)
        subparser.set_defaults(func=_draw_from_args)
        return subparser


def _draw_from_args(args: argparse.Namespace) -> None:
    draw(args.predictions, args.sentence, args.output_file, args.what)


def _numbers(text: str) -> List[int]:
    """`3,7` as numbers, without doubles. Raises `ValueError`, which argparse reports, where one is none."""
    return list(dict.fromkeys(map(int, text.split(","))))

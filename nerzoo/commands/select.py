"""
The `select` subcommand says which sentences to annotate next:

    allennlp select model.tar.gz texts.txt --size 100 --output-file selected.jsonl
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict, List

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import add_source_arguments, prediction_writer, source_from_args, tagger_from_args
from nerzoo.files import check_is_new, write_text
from nerzoo.formats.writer import AnnotationWriter
from nerzoo.inference.select import CRITERIA, select
from nerzoo.inference.sources import all_items, documents

_WRITTEN = ("index", "location", "score", "doc_id", "sentence", "words", "pos", "heads", "dep_labels", "space_after")


@Subcommand.register("select")
class Select(Subcommand):
    """Selects the sentences that a tagger is the least certain of, and no two that are too similar."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Select the sentences to annotate next: those that a tagger is the least certain of. The output has them "
            "in this order, a JSON object a line, with their score, index and location in the input."
        )
        subparser = parser.add_parser(self.name, description=description, help="Select sentences to annotate.")
        add_source_arguments(subparser)
        subparser.add_argument("--size", type=int, required=True, help="how many sentences to select")
        subparser.add_argument("--output-file", type=str, required=True, help="file to write or, for brat, folder")
        subparser.add_argument(
            "--criterion",
            choices=CRITERIA,
            default=CRITERIA[0],
            help="the entropy of the tag sequence, or one minus the probability of the best one",
        )
        subparser.add_argument(
            "--per-token", action="store_true", help="divide entropy or log probability by the number of words"
        )
        subparser.add_argument(
            "--max-similarity",
            type=float,
            default=0.8,
            help="skip a sentence more similar to a selected one: words that both have over words of either; 1: none",
        )
        subparser.add_argument(
            "--output-format",
            type=str,
            help="write predictions as pre-annotations: the name of a format, or JSON with its options",
        )
        subparser.set_defaults(func=_select_from_args)
        return subparser


def _select_from_args(args: argparse.Namespace) -> None:
    check_is_new(args.output_file)
    if not Path(args.output_file).parent.is_dir():
        raise ConfigurationError(f"{args.output_file}: found no folder for it, expected the path of a new output")
    writer = None if args.output_format is None else prediction_writer(args.output_format)
    tagger = tagger_from_args(args)
    items = all_items(source_from_args(args, tagger), args.inputs)
    selection = select(tagger, items, args.size, args.criterion, args.per_token, args.max_similarity)
    if writer is None:
        _write_lines(selection.sentences, Path(args.output_file))
    else:
        _write_predictions(selection.sentences, writer, args.output_file)
    skipped = f"skipped {selection.num_skipped} that are more similar to others than {args.max_similarity:g}"
    print(f"selected {args.size} of {selection.num_sentences} sentences; {skipped}", file=sys.stderr)


def _write_lines(sentences: List[Dict[str, Any]], output: Path) -> None:
    written = ({name: sentence[name] for name in _WRITTEN if name in sentence} for sentence in sentences)
    write_text(output, "".join(json.dumps(sentence) + "\n" for sentence in written))


def _write_predictions(sentences: List[Dict[str, Any]], writer: AnnotationWriter, output_file: str) -> None:
    # A document each, known again by its index: sentences of one document need not follow one another.
    numbered = ({**sentence, "doc_id": str(sentence["index"])} for sentence in sentences)
    writer.write_all(documents(numbered), output_file)
    if writer.losses:
        print(f"{output_file}: left out, as the format cannot express it: {writer.lost()}", file=sys.stderr)

"""
The `select` subcommand:

    nerzoo select model.tar.gz texts.txt --size 100 --output-file selected.jsonl
"""

import argparse
import json
import sys
from pathlib import Path

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.arguments import Command, add_source_arguments, load_tagger_and_source, prediction_writer
from nerzoo.files import check_is_new, write_text
from nerzoo.inference.select import CRITERIA, select
from nerzoo.inference.sources import all_items, documents

_WRITTEN = ("index", "location", "score", "doc_id", "sentence", "words", "pos", "heads", "dep_labels", "space_after")


@Subcommand.register("select")
class Select(Command):
    """
    Selects the sentences to annotate next: the ones of which a tagger is least certain, without similar ones. Writes
    JSON Lines, the most uncertain sentence first, with its score, index and location in the input.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_source_arguments(parser)
        add = parser.add_argument
        add("--size", type=int, required=True, help="number of sentences to select")
        add("--output-file", required=True, help="new file to write or, for brat, folder")
        criterion = "entropy of the tag sequence, or one minus the probability of the best sequence"
        add("--criterion", choices=CRITERIA, default=CRITERIA[0], help=criterion)
        add("--per-token", action="store_true", help="divide entropy or log probability by the number of words")
        similarity = "skip a sentence if its Jaccard similarity to a selected one is higher; 1: skip none"
        add("--max-similarity", type=float, default=0.8, help=similarity)
        output_format = "write predictions as pre-annotations: the name of a format, or JSON with its options"
        add("--output-format", help=output_format)

    def run(self, args: argparse.Namespace) -> None:
        check_is_new(args.output_file)
        output = Path(args.output_file)
        if not output.parent.is_dir():
            raise ConfigurationError(f"{output}: found no folder for it, expected the path of a new output")
        writer = None if args.output_format is None else prediction_writer(args.output_format)
        tagger, source = load_tagger_and_source(args)
        items = all_items(source, args.inputs)
        selection = select(tagger, items, args.size, args.criterion, args.per_token, args.max_similarity)
        if writer is None:
            chosen = [{name: each[name] for name in _WRITTEN if name in each} for each in selection.sentences]
            write_text(output, "".join(json.dumps(sentence) + "\n" for sentence in chosen))
        else:
            # One document per sentence, named by its index: sentences of a document need not follow one another.
            numbered = ({**sentence, "doc_id": str(sentence["index"])} for sentence in selection.sentences)
            writer.write_all(documents(numbered), args.output_file)
            if writer.losses:
                print(f"{output}: left out, as the format cannot express it: {writer.lost()}", file=sys.stderr)
        skipped = f"skipped {selection.num_skipped} that are more similar to others than {args.max_similarity:g}"
        print(f"selected {args.size} of {selection.num_sentences} sentences; {skipped}", file=sys.stderr)

"""
The `find-label-errors` subcommand:

    nerzoo cross-validate CONFIG -s FOLDS --predict -o '{"model.extra_outputs": ["gold_entities"]}'
    nerzoo find-label-errors FOLDS/predictions.jsonl --output-file errors.jsonl
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command
from nerzoo.evaluation.label_errors import KINDS, find_label_errors
from nerzoo.files import check_is_new, write_text


@Subcommand.register("find-label-errors")
class FindLabelErrors(Command):
    """
    Finds probable errors of annotation: differences between the annotation and the predictions of models that were not
    trained on it, sorted by the probability of the annotation, lowest first. Writes JSON Lines.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        predictions = "output of `cross-validate --predict` or `cross-predict` with the extra output gold_entities"
        parser.add_argument("predictions", nargs="+", help=predictions)
        parser.add_argument("--output-file", required=True, help="new file to write")

    def run(self, args: argparse.Namespace) -> None:
        check_is_new(args.output_file)
        errors = find_label_errors(args.predictions)
        lines = [json.dumps(error.to_json(), ensure_ascii=False) + "\n" for error in errors]
        write_text(Path(args.output_file), "".join(lines))
        counts = Counter(error.kind for error in errors)
        print(", ".join(f"{kind} {counts[kind]}" for kind in KINDS), flush=True)

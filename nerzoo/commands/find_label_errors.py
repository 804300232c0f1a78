"""
The `find-label-errors` subcommand lists the annotations that models which were not trained on them believe least:

    allennlp cross-validate CONFIG -s FOLDS --predict -o '{"model.extra_outputs": ["gold_entities"]}'
    allennlp find-label-errors FOLDS/predictions.jsonl --output-file errors.jsonl
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import List

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.evaluation.label_errors import KINDS, LabelError, find_label_errors
from nerzoo.files import check_is_new, write_text


@Subcommand.register("find-label-errors")
class FindLabelErrors(Subcommand):
    """Writes what is probably wrong in the annotation of a corpus, most suspicious first."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Find the annotation that is probably wrong: where predictions of models that were not trained on it "
            "differ from it, by the probability of what is annotated, lowest first; a JSON object a line."
        )
        subparser = parser.add_parser(self.name, description=description, help="Find errors of annotation.")
        subparser.add_argument(
            "predictions",
            type=str,
            nargs="+",
            help="what `cross-validate --predict` or `cross-predict` wrote, with the extra output gold_entities",
        )
        subparser.add_argument("--output-file", type=str, required=True, help="file to write")
        subparser.set_defaults(func=_find_from_args)
        return subparser


def _find_from_args(args: argparse.Namespace) -> List[LabelError]:
    check_is_new(args.output_file)
    errors = find_label_errors(args.predictions)
    lines = [json.dumps(error.to_json(), ensure_ascii=False) + "\n" for error in errors]
    write_text(Path(args.output_file), "".join(lines))
    counts = Counter(error.kind for error in errors)
    print(", ".join(f"{kind} {counts[kind]}" for kind in KINDS), flush=True)
    return errors

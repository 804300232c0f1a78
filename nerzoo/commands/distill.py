"""
The `distill` subcommand:

    nerzoo distill TEACHER [TEACHER ...] TEXTS --student CONFIG -s OUTPUT
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import TRAINING_OPTIONS, Command, add_training_arguments
from nerzoo.configuration.check import read_configuration
from nerzoo.runs.distillation import TARGETS, distill


@Subcommand.register("distill")
class Distill(Command):
    """
    Labels texts by one or several teachers, and trains a student on its own data and on these labels. The same command
    continues an interrupted run.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        teachers = (
            "archive of a tagger, or .jsonl file with the predictions of any system, a line for each text: "
            '{"text": "...", "entities": [{"start_char": 0, "end_char": 4, "label": "PER", "probability": 0.9}]}; '
            "several teachers are averaged"
        )
        add("teachers", nargs="+", metavar="TEACHER", help=teachers)
        add(
            "texts",
            metavar="TEXTS",
            help="file to label: .txt, a text a line, or .jsonl, the input of `nerzoo predict`",
        )
        add("--student", required=True, metavar="CONFIG", help="configuration of the model to train, and its gold data")
        add("--weight", type=float, default=1.0, help="factor of the loss of labelled sentences. Default: %(default)s")
        confidence = (
            "drop sentences with an entity, or a word outside entities, of a lower probability. Default: %(default)s"
        )
        add("--min-confidence", type=float, default=0.0, help=confidence)
        targets = (
            "what the student learns: marginals, the probability of each tag of each word, or tags. Default: "
            "marginals, where all teachers have them"
        )
        add("--targets", choices=TARGETS, help=targets)
        directory = "directory for the labelled texts, distillation.json with counts, and the folder `model`"
        add_training_arguments(parser, directory)

    def run(self, args: argparse.Namespace) -> None:
        distill(
            args.teachers,
            args.texts,
            read_configuration(args.student, args.overrides, options=dict(args.set)),
            args.serialization_dir,
            args.weight,
            args.min_confidence,
            args.targets,
            **{name: getattr(args, name) for name in TRAINING_OPTIONS},
        )
        print(f"finished: {args.serialization_dir}/model/model.tar.gz", flush=True)

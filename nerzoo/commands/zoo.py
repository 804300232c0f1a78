"""
The `zoo` subcommand:

    nerzoo zoo
    nerzoo zoo show en
    nerzoo zoo train en --data FOLDER --vectors FILE
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command
from nerzoo.deploy.zoo_training import train_zoo_model
from nerzoo.errors import worded
from nerzoo.zoo.command import TRAIN_HELP, add_zoo_arguments, run_zoo


@Subcommand.register("zoo")
class Zoo(Command):
    """
    Lists the trained models that are here, with their scores, sizes and licences, shows the card of one, or trains one
    in a checkout of the repository.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = add_zoo_arguments(parser)
        train = actions.add_parser("train", help=TRAIN_HELP)
        train.add_argument("name", help="name of a configuration in training_config/zoo")
        train.add_argument("--data", required=True, metavar="FOLDER", help="folder of the corpora")
        train.add_argument(
            "--vectors", default="", metavar="FILE", help="file of word vectors, for models with vectors"
        )
        train.add_argument("--seed", type=int, default=1, help="seed of the training")
        train.add_argument("-s", "--serialization-dir", help="folder of the training; default: output/zoo/NAME")
        train.add_argument("--output", help="folder of the packed model; default: zoo/NAME")

    def run(self, args: argparse.Namespace) -> None:
        with worded():
            if args.action == "train":
                folder = args.serialization_dir or f"output/zoo/{args.name}"
                output = args.output or f"zoo/{args.name}"
                card = train_zoo_model(args.name, args.data, folder, output, args.vectors, args.seed)
                print(f"{output}: {card['score']}, {card['bytes'] / 1e6:.1f} MB")
            else:
                run_zoo(args)

"""
The `zoo` subcommand:

    nerzoo zoo
    nerzoo zoo show en
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command
from nerzoo.errors import worded
from nerzoo.zoo.command import add_zoo_arguments, run_zoo


@Subcommand.register("zoo")
class Zoo(Command):
    """Lists the trained models that are here, with their scores, sizes and licences, or shows the card of one."""

    help = "List the trained models."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_zoo_arguments(parser)

    def run(self, args: argparse.Namespace) -> None:
        with worded():
            run_zoo(args)

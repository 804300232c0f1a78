"""
The `package` subcommand:

    nerzoo package output/ner/model.tar.gz --name my-names
    pip install --no-index nerzoo_model_my_names-0.3.0-py3-none-any.whl
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command
from nerzoo.deploy.package import package
from nerzoo.zoo.command import MODEL


@Subcommand.register("package")
class Package(Command):
    """Writes a wheel with a model. Where pip has installed it, nerzoo finds the model by its name."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("archive_file", help=MODEL)
        parser.add_argument("--name", required=True, help="name of the model: small letters, digits and hyphens")
        parser.add_argument("--card", metavar="FILE", help="card, a JSON object; by default card.json beside the model")
        parser.add_argument("--folder", default=".", help="folder to write the wheel into; by default this one")

    def run(self, args: argparse.Namespace) -> None:
        wheel = package(args.archive_file, args.name, args.folder, args.card)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)

"""
The commands of `nerzoo` that need AllenNLP: all of `allennlp ... --include-package nerzoo`, with more checks in
`evaluate` and `predict`. AllenNLP's plugins are imported only where `--include-package allennlp_models` or a file
`.allennlp_plugins` names them.
"""

import argparse
import gc
import importlib
import os
import signal
import sys
from types import FrameType
from typing import Optional

from allennlp.commands import Subcommand
from allennlp.common import util
from allennlp.common.checks import ConfigurationError
from allennlp.common.plugins import discover_plugins

from nerzoo.commands.allennlp_commands import add_training_options, evaluate, predict, train
from nerzoo.errors import report
from nerzoo.overview import USAGE
from nerzoo.zoo.command import add_engine_argument


def main() -> None:
    """Runs the command in `sys.argv`."""
    os.environ.setdefault("ALLENNLP_LOG_LEVEL", "WARNING")
    # Its import configures logging.
    importlib.import_module("allennlp.__main__")
    sys.excepthook = report
    signal.signal(signal.SIGTERM, _exit)
    for name in discover_plugins():
        importlib.import_module(name)
    # Imported objects stay until the end: the garbage collector need not search them.
    gc.freeze()
    args = _parser().parse_args()
    for name in args.include_package:
        _include(name)
    args.func(args)


def _parser() -> argparse.ArgumentParser:
    commands = {name: Subcommand.by_name(name)() for name in sorted(Subcommand.list_available())}
    # The overview is printed before: see `nerzoo.__main__`.
    parser = argparse.ArgumentParser(prog="nerzoo", usage=USAGE, add_help=False)
    subparsers = parser.add_subparsers(metavar="COMMAND", help=argparse.SUPPRESS, required=True, prog="nerzoo")
    for command in commands.values():
        subparser = command.add_subparser(subparsers)
        subparser.add_argument(
            "--include-package", action="append", default=[], help="a package that registers more classes"
        )
    subparsers.choices["evaluate"].set_defaults(func=evaluate)
    # With AllenNLP's default, one item at a time, a file takes three times as long.
    subparsers.choices["predict"].set_defaults(func=predict, batch_size=32)
    add_engine_argument(subparsers.choices["predict"])
    add_training_options(subparsers.choices["train"])
    subparsers.choices["train"].set_defaults(func=train)
    return parser


def _include(name: str) -> None:
    try:
        util.import_module_and_submodules(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        found = f"{name}: found no module {error.name}"
        raise ConfigurationError(f"{found}, expected one in a folder where Python looks, such as this one") from None


def _exit(number: int, frame: Optional[FrameType]) -> None:
    raise SystemExit(128 + number)

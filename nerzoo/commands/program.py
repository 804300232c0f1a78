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
from typing import Mapping, Optional

from allennlp.commands import Subcommand
from allennlp.common import util
from allennlp.common.checks import ConfigurationError
from allennlp.common.plugins import discover_plugins

from nerzoo.commands.allennlp_commands import add_training_options, evaluate, predict, train
from nerzoo.errors import report
from nerzoo.version import __version__
from nerzoo.zoo.command import add_engine_argument

_GROUPS = {
    "Data": ("describe", "init", "convert", "convert-threads", "train-parser", "select"),
    "Train": ("train", "config", "cross-validate", "cross-predict", "curve", "tune", "distill", "zoo"),
    "Use": ("tag", "predict", "serve", "draw", "export-onnx", "export-vectors", "package", "publish"),
    "Compare": ("evaluate", "report", "compare", "bench", "calibrate", "tune-thresholds", "find-label-errors"),
}
_ALLENNLP = {
    "train": "Train a model.",
    "predict": "Write the predictions of a model.",
    "evaluate": "Evaluate a model on annotated data.",
}


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
    parser = argparse.ArgumentParser(
        prog="nerzoo",
        description=_overview({name: getattr(command, "help", "") for name, command in commands.items()}),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [--version] [--help] COMMAND ...",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
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


def _overview(helps: Mapping[str, str]) -> str:
    """Returns what nerzoo does, and its commands in groups, given the line about each of nerzoo's own."""
    lines = [
        "Finds named entities in text, and trains models for them. To tag a text with the English model:",
        "",
        "  nerzoo tag --text 'Mara Holt moved to Lisbon.'",
        "",
        "nerzoo COMMAND --help describes a command.",
    ]
    for title, names in _GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<18}{helps[name] or _ALLENNLP[name]}" for name in names)]
    rest = sorted({*helps} - {name for names in _GROUPS.values() for name in names})
    return "\n".join([*lines, "", "More, of AllenNLP:", f"  {', '.join(rest)}"])


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

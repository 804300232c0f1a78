"""AllenNLP's commands, run as in a shell in the root of the repository."""

import functools
import gc
import json
import logging
import signal
import sys

import pytest
from allennlp.commands import Subcommand, main
from allennlp.common import util
from helpers.paths import ROOT

from nerzoo import __main__
from nerzoo.commands import program

DEPTREE_NER = "training_config/deptree_ner.jsonnet"


_imported = set()


def _import_once(package_name, exclude=None):
    """
    Skips imports of modules that are already there: AllenNLP looks for some 700 modules at the start of every command.
    """
    if package_name not in _imported:
        util.import_module_and_submodules(package_name, exclude)
        _imported.add(package_name)


def allennlp(*args, overrides=None):
    """Runs `allennlp ARGS --include-package nerzoo` in this process, because a new process takes seconds to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("allennlp.common.plugins.import_module_and_submodules", _import_once)
        patch.setattr("allennlp.commands.import_module_and_submodules", _import_once)
        _run(main, ["allennlp", *args, "--include-package", "nerzoo"], overrides)


def _registered():
    return tuple((name, Subcommand.by_name(name)) for name in Subcommand.list_available())


@functools.cache
def _parser_of(registered, make=program._parser):
    """The parser of all commands: making it takes longer than most commands that refuse their arguments."""
    return make()


def nerzoo(*args, overrides=None, folder=ROOT):
    """Runs `nerzoo ARGS` in this process, in a folder."""
    handler = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch:
        # This process goes on, and should collect what the command leaves behind.
        patch.setattr(gc, "freeze", lambda: None)
        # Which the command sets.
        patch.setenv("TQDM_DISABLE", "1")
        patch.setattr(program, "_parser", lambda: _parser_of(_registered()))
        patch.setattr(sys, "excepthook", sys.excepthook)
        try:
            _run(__main__.main, ["nerzoo", *args], overrides, folder)
        finally:
            signal.signal(signal.SIGTERM, handler)


def _run(command, args, overrides, folder=ROOT):
    level = logging.root.level
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", [*map(str, args), *["--overrides", json.dumps(overrides)] * bool(overrides)])
        try:
            command()
        finally:
            logging.root.setLevel(level)


def train(folder, *args, **overrides):
    """
    Trains the dependency-aware tagger, for one epoch and without a parser, whose training takes seconds, unless
    `overrides` changes this; returns the metrics.
    """
    overrides = {"trainer.num_epochs": 1, "dataset_reader.parser": None, **overrides}
    allennlp("train", DEPTREE_NER, "--serialization-dir", folder, *args, overrides=overrides)
    return json.loads((folder / "metrics.json").read_text())

"""AllenNLP's commands, as a user types them in the root of the repository."""

import json
import logging
import sys

import pytest
from allennlp.commands import main
from allennlp.common import util
from helpers.paths import ROOT

DEPTREE_NER = "training_config/deptree_ner.jsonnet"


_imported = set()


def _import_once(package_name, exclude=None):
    """AllenNLP looks for each of some 700 modules at the start of every command, whether it has imported it or not."""
    if package_name not in _imported:
        util.import_module_and_submodules(package_name, exclude)
        _imported.add(package_name)


def allennlp(*args, overrides=None):
    """Runs `allennlp ARGS --include-package nerzoo` in this process, which a new one would take seconds to start."""
    argv = ["allennlp", *map(str, args), "--include-package", "nerzoo"]
    level = logging.root.level
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr("allennlp.common.plugins.import_module_and_submodules", _import_once)
        patch.setattr("allennlp.commands.import_module_and_submodules", _import_once)
        patch.setattr(sys, "argv", argv + ["--overrides", json.dumps(overrides)] * bool(overrides))
        try:
            main()
        finally:
            logging.root.setLevel(level)


def train(folder, *args, **overrides):
    """Trains the dependency-aware tagger for an epoch, unless `overrides` say more; returns the metrics."""
    overrides = {"trainer.num_epochs": 1, **overrides}
    allennlp("train", DEPTREE_NER, "--serialization-dir", folder, *args, overrides=overrides)
    return json.loads((folder / "metrics.json").read_text())

"""What the extras of setup.cfg install: nothing else needs it."""

import json
import subprocess
import sys
from configparser import ConfigParser

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import ROOT
from packaging.requirements import Requirement

from nerzoo.errors import extra

# AllenNLP needs the one, transformers the other: they are there in any case.
NEEDED = {"huggingface_hub", "safetensors"}
SOURCE = """
import importlib, json, pkgutil, sys

# So it is with modules that are not installed: nobody finds them, and whoever imports them gets the error.
sys.modules.update(dict.fromkeys(sys.argv[2:]))
import nerzoo

for module in pkgutil.walk_packages(nerzoo.__path__, "nerzoo."):
    importlib.import_module(module.name)
print(json.dumps(nerzoo.Tagger.load(sys.argv[1])("Mara lived in Calder.")["words"]))
"""


def test_without_any_extra_all_modules_are_imported_and_texts_tagged(archives):
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    lines = "\n".join(config["options.extras_require"].values()).split("\n")
    missing = {Requirement(line).name.replace("-", "_") for line in lines if line} - NEEDED
    assert {"matplotlib", "pyarrow"} <= missing
    command = [sys.executable, "-c", SOURCE, str(archives("ner")), *missing]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == ["Mara", "lived", "in", "Calder", "."]


def test_what_is_missing_is_named_with_its_purpose_and_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    expected = r"^found no pyarrow, expected it, which reads Parquet: pip install nerzoo\[parquet\]$"
    with pytest.raises(ConfigurationError, match=expected), extra("parquet", ", which reads Parquet"):
        import pyarrow.parquet  # noqa: F401

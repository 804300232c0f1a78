"""What the extras of setup.cfg install: nothing else needs it."""

import sys
from configparser import ConfigParser

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.forked import LIBRARIES, run_forked
from helpers.paths import ROOT
from packaging.requirements import Requirement

from nerzoo.errors import extra

# AllenNLP needs the first, transformers the others: they are there in any case.
NEEDED = {"huggingface_hub", "safetensors", "tokenizers"}
SOURCE = """
import importlib, pkgutil, sys

# So it is with modules that are not installed: nobody finds them, and whoever imports them gets the error.
sys.modules.update(dict.fromkeys({missing}))
import nerzoo

for module in pkgutil.walk_packages(nerzoo.__path__, "nerzoo."):
    importlib.import_module(module.name)
(sentence,) = nerzoo.Tagger.load({archive!r})("Mara lived in Calder.")["sentences"]
assert sentence["words"] == ["Mara", "lived", "in", "Calder", "."]
"""


def test_without_any_extra_all_modules_are_imported_and_texts_tagged(archives):
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    extras = config["options.extras_require"]
    lines = "\n".join(extras[name] for name in extras if name != "train").split("\n")
    missing = {Requirement(line).name.replace("-", "_") for line in lines if line} - NEEDED
    assert {"matplotlib", "pyarrow"} <= missing
    assert run_forked(LIBRARIES, [SOURCE.format(missing=missing, archive=str(archives("ner")))]) == [""]


def test_what_is_missing_is_named_with_its_purpose_and_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    expected = r"^found no pyarrow, expected it, which reads Parquet: pip install nerzoo\[parquet\]$"
    with pytest.raises(ConfigurationError, match=expected), extra("parquet", ", which reads Parquet"):
        import pyarrow.parquet  # noqa: F401

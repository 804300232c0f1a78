"""In new interpreters: what this one has imported cannot be compared with how it was."""

import re
import sys

import pytest
import torch
from allennlp.commands import train
from allennlp.modules.seq2seq_encoders import Seq2SeqEncoder
from helpers.forked import LIBRARIES, run_forked
from helpers.paths import ROOT

import nerzoo.components  # noqa: F401
from nerzoo.allennlp_hooks import HOOKS
from nerzoo.training.train_model import train_model

# Collects the names of the attributes that importing nerzoo changes: `module.attribute` or `module.Class.attribute`.
COMPARE = """
import importlib, pkgutil, signal, sys, tarfile
import allennlp.commands, allennlp.modules, allennlp.predictors, allennlp.training, torch.optim

def attributes():
    found = {"excepthook": sys.excepthook, "sigterm": signal.getsignal(signal.SIGTERM)}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in ("allennlp", "allennlp_models", "torch", "tarfile", "transformers", "spacy"):
            continue
        # Not what modules make when they are asked for it.
        for key, value in list(vars(module).items()):
            if not (key.startswith("__") and key.endswith("__")):
                found[f"{name}.{key}"] = value
            if isinstance(value, type) and value.__module__ == name:
                for attribute, part in list(vars(value).items()):
                    if attribute not in ("_registry", "_reverse_registry", "_abc_impl"):
                        found[f"{name}.{key}.{attribute}"] = part
    return found

before = attributes()
path, finders = list(sys.path), list(sys.meta_path)
import nerzoo
assert nerzoo.Tagger and sys.path == path and sys.meta_path == finders
after = attributes()
changed = {name for name in before if after.get(name) is not before[name]}
"""


def test_nothing_else_is_replaced():
    names = {hook.name for hook in HOOKS}
    assert run_forked(LIBRARIES, [f"{COMPARE}assert changed == {names}, changed"]) == [""]
    # The twelfth place is where AllenNLP is imported: see `nerzoo_torch`.
    assert len(HOOKS) + 1 <= 12


def test_each_is_in_the_documentation():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `(allennlp\.[\w.]+)` \| (.*) \|$", text, re.MULTILINE))
    for hook in HOOKS:
        assert table[hook.name] == f"{hook.reason} | {hook.without}"


class Broken(Seq2SeqEncoder):
    def __init__(self, input_size: int) -> None:
        super().__init__()
        self.undefined.append(input_size)


def test_an_error_in_code_keeps_its_type_and_says_its_place(few_sentences, tmp_path, monkeypatch):
    from helpers.configurations import load, shorten

    monkeypatch.setitem(Seq2SeqEncoder._registry[Seq2SeqEncoder], "broken", (Broken, None))
    params = load("ner")
    shorten(params, few_sentences)
    params["model"]["encoder"] = {"type": "broken", "input_size": 3}
    hook = sys.excepthook
    with pytest.raises(AttributeError, match="undefined") as raised:
        train_model(params, tmp_path / "run")
    assert raised.value.__notes__ == ["model.encoder: Broken(...) raised AttributeError"]
    assert sys.excepthook is hook


def test_training_goes_through_the_check():
    assert train.train_model_from_file.__module__ == "nerzoo.training.train_model"
    assert torch.optim.SGD.step.__module__.startswith("torch")

"""
Configurations of the main jobs with a value in the place of another one, none, or one more: each is refused before a
step is trained, or trains.
"""

import math
from contextlib import chdir

import pytest
from allennlp.common import Params
from allennlp.models import Model
from helpers.configurations import render, shorten
from helpers.hostile import cases, check
from helpers.paths import FIXTURES, ROOT

import nerzoo.components  # noqa: F401
from nerzoo.training.train_model import train_model

DATA = {"thread_structure": ("threads/train.jsonl", 4, "\n"), "fofe_lm": ("text/train.txt", 12, "\n")}
SENTENCES = ("people_and_places/train.conllu", 6, "\n\n")


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Maps a job to a small file for it."""
    folder = tmp_path_factory.mktemp("few")

    def path(job):
        name, number, separator = DATA.get(job, SENTENCES)
        file = folder / job
        parts = (FIXTURES / name).read_text(encoding="utf-8").split(separator)[:number]
        file.write_text(separator.join(parts) + separator, encoding="utf-8")
        return file

    return path


def changed(config, case):
    *sections, last = case["path"]
    target = config
    for section in sections:
        target = target[section]
    if "remove" in case:
        del target[last]
    elif "add" in case:
        target[last][case["add"]] = 1
    else:
        target[last] = case["value"]
    return config


@pytest.mark.parametrize("case", cases("configurations"))
def test_configurations(case, few, record_property, tmp_path, monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", "")
    params = Params(render(case["job"]))
    shorten(params, few(case["job"]))
    config = changed(params.as_dict(quiet=True), case)

    def train():
        with chdir(ROOT):
            return train_model(Params(config), tmp_path / "run")

    model = check(case, train, record_property)
    if case["error"] is None:
        assert isinstance(model, Model)
        assert all(math.isfinite(parameter.sum()) for parameter in model.parameters())

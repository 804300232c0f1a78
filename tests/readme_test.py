from pathlib import Path

import pytest
from allennlp.commands.train import TrainModel
from allennlp.common import Registrable

import nerzoo  # noqa: F401, registers everything

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
REGISTERED = [
    (base.__name__, name)
    for base, classes in Registrable._registry.items()
    if base is not TrainModel  # cross_validation_fold is a step of commands, not for configurations
    for name, (class_, _) in classes.items()
    if class_.__module__.startswith("nerzoo.")
]


def test_there_are_registered_names():
    assert ("Model", "sequence_tagger") in REGISTERED


@pytest.mark.parametrize("base, name", REGISTERED)
def test_the_readme_names_what_is_registered(base, name):
    assert f"`{name}`" in README

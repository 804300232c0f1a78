import json
import re
from importlib.metadata import EntryPoint, EntryPoints

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo import archives as archive_files
from nerzoo.version import __version__
from nerzoo.zoo import finding


@pytest.fixture
def package(zoo, tmp_path, monkeypatch):
    """A function that puts a package with a model, `packed`, on Python's path, and its card."""
    folder = tmp_path / "nerzoo_model_packed"
    folder.mkdir()
    entry_points = EntryPoints([EntryPoint("packed", folder.name, finding.ENTRY_POINTS)])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **query: entry_points.select(**query))
    monkeypatch.syspath_prepend(tmp_path)

    def write(card):
        (folder / "card.json").write_text(json.dumps(card))
        return folder

    return write


def test_a_model_of_a_folder(zoo):
    model = finding.find_model("xy")
    assert model.folder == finding.folder_of("xy") == zoo / "xy"
    assert model.card["licence"] == "CC0-1.0"
    assert model.size == sum(path.stat().st_size for path in (zoo / "xy").iterdir())
    assert finding.is_exported(model.folder)


def test_a_model_of_a_package(package):
    folder = package({"nerzoo": __version__, "score": "F1 1.0"})
    assert finding.find_model("packed") == finding.ZooModel(
        "packed", folder, {"nerzoo": __version__, "score": "F1 1.0"}
    )
    assert [model.name for model in finding.all_models()] == ["packed", "xy"]


@pytest.mark.parametrize("version", ["0.0.1", "another version"])
def test_a_package_for_another_version(package, version):
    package({"nerzoo": version})
    message = f"packed: found a package for nerzoo {version}, expected one for {__version__}: make it again by"
    with pytest.raises(ValueError, match=re.escape(message)):
        finding.find_model("packed")


@pytest.mark.parametrize(
    "name, expected",
    [("yx", "one of xy"), ("xyz", "'xy'"), ("biomedical", "one of xy")],
)
def test_a_name_that_is_not_there(zoo, name, expected):
    message = f"{name}: found no model of the zoo and no file with this name, expected {expected}; `nerzoo zoo` lists"
    with pytest.raises(ValueError, match=message):
        finding.folder_of(name)
    with pytest.raises(ConfigurationError, match=message):
        archive_files.find(name)


def test_a_path_and_an_address_are_no_names(zoo, tmp_path, monkeypatch):
    for path in ("./xy", "no/xy", "xy.tar.gz", "hf://xy/model@main", tmp_path):
        assert finding.folder_of(path) is path
    monkeypatch.chdir(tmp_path)
    assert finding.folder_of("zoo") == "zoo"


@pytest.mark.parametrize("content", ["{", "[]", '{"score": 1}', "\udcff"])
def test_a_bad_card(zoo, content):
    (zoo / "xy/card.json").write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(ValueError, match=r"xy/card.json: found no card of a model"):
        finding.find_model("xy")

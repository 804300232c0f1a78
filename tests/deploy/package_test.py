import json
import zipfile

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo

from nerzoo.deploy.package import package
from nerzoo.version import __version__

CARD = {"description": "names\nof people", "licence": "CC0-1.0", "data": [1]}


def test_the_wheel_of_an_exported_tagger(zoo, tmp_path, capsys):
    nerzoo("package", "xy", "--name", "my-names", "--folder", tmp_path)
    wheel = tmp_path / f"nerzoo_model_my_names-{__version__}-py3-none-any.whl"
    assert capsys.readouterr().out.startswith(f"{wheel}: ")
    with zipfile.ZipFile(wheel) as file:
        assert file.testzip() is None
        contents = {name: file.read(name) for name in file.namelist()}
    info = f"nerzoo_model_my_names-{__version__}.dist-info"
    expected = {path.name: path.read_bytes() for path in (zoo / "xy").iterdir()}
    card = {**json.loads(expected.pop("card.json")), "nerzoo": __version__}
    assert json.loads(contents.pop("nerzoo_model_my_names/card.json")) == card
    assert contents[f"{info}/entry_points.txt"] == b"[nerzoo_models]\nmy-names = nerzoo_model_my_names\n"
    assert b"Summary: names of a fixture\nLicense: CC0-1.0\n" in contents[f"{info}/METADATA"]
    files = {name.partition("/")[2]: content for name, content in contents.items() if ".dist-info" not in name}
    assert files == {**expected, "__init__.py": b""}


def test_a_transformer_needs_the_package_tokenizers(zoo, tmp_path):
    needed = []
    for name in ("words", "pieces"):
        with zipfile.ZipFile(package("xy", name, tmp_path)) as file:
            lines = file.read(f"nerzoo_model_{name}-{__version__}.dist-info/METADATA").decode().splitlines()
        needed += [line.partition(">")[0] for line in lines if line.startswith("Requires-Dist: ")]
        (zoo / "xy/bert.tokenizer.json").write_text("{}")
    assert needed == ["Requires-Dist: nerzoo", "Requires-Dist: nerzoo[tokenizers]"]


def test_the_same_model_makes_the_same_wheel(archives, tmp_path):
    card = tmp_path / "card.json"
    card.write_text(json.dumps(CARD))
    contents = []
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        contents.append(package(archives("ner"), "names", tmp_path / folder, card).read_bytes())
    assert contents[0] == contents[1]


@pytest.mark.parametrize("name", ["", "My", "a--b", "-a", "a/b", "a_b", "é"])
def test_a_name_that_does_not_fit(exported, tmp_path, name):
    with pytest.raises(ConfigurationError, match="found the name .*, expected small letters, digits and hyphens"):
        package(exported, name, tmp_path)


def test_what_is_no_model_or_card(zoo, tmp_path):
    bad = tmp_path / "bad"
    bad.write_text("[")
    with pytest.raises(ConfigurationError, match="bad: found an archive that cannot be read"):
        package(bad, "names", tmp_path)
    with pytest.raises(ConfigurationError, match="bad: found no card of a model"):
        package("xy", "names", tmp_path, bad)
    (zoo / "xy/transitions.npy").write_bytes(b"x")
    with pytest.raises(ConfigurationError, match="transitions.npy: found another content than was exported"):
        package("xy", "names", tmp_path)
    assert not list(tmp_path.glob("*.whl"))

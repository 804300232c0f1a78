"""The wheel, installed into an empty environment beside the locked dependencies, trains from any folder."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from shutil import copy, copytree

import pytest
from helpers.paths import CONFIGS, FIXTURES, ROOT

CONFIG = CONFIGS / "deptree_ner.jsonnet"
TREEBANK = FIXTURES / "people_and_places"
BUILD = "import sys; from setuptools.build_meta import build_wheel; print(build_wheel(sys.argv[1]))"
# The command `allennlp`; says in the end which nerzoo it found.
ALLENNLP = """
import sys
from allennlp.commands import main
main()
print(sys.modules["nerzoo"].__file__)
"""


def run(*command, **kwargs):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **kwargs)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    # Building writes into the folder of the sources.
    sources = folder / "sources"
    copytree(ROOT / "nerzoo", sources / "nerzoo", ignore=lambda *_: {"__pycache__"})
    for name in ("nerzoo_spacy.py", "pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        copy(ROOT / name, sources)
    name = run(sys.executable, "-c", BUILD, folder, cwd=sources).split()[-1]
    return folder / name


def test_has_the_modules_and_the_mark_of_a_typed_package(wheel):
    expected = {str(path.relative_to(ROOT)) for path in ROOT.glob("nerzoo/**/*.py")}
    expected |= {str(path.relative_to(ROOT)) for path in ROOT.glob("nerzoo/reports/templates/*")}
    expected |= {"nerzoo/py.typed", "nerzoo/deploy/model_card.md", "nerzoo/deploy/server/page.html", "nerzoo_spacy.py"}
    with zipfile.ZipFile(wheel) as file:
        assert {name for name in file.namelist() if ".dist-info/" not in name} == expected


def test_names_the_command_and_the_factory_of_the_spacy_component(wheel):
    """pyproject.toml would hide the entry points of setup.cfg, if it did not name them."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith("entry_points.txt")]
        assert file.read(name).decode().split("\n")[:5] == [
            "[console_scripts]",
            "nerzoo = nerzoo.__main__:main",
            "",
            "[spacy_factories]",
            "nerzoo = nerzoo_spacy:make_component",
        ]


def test_names_the_extras(wheel):
    with zipfile.ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith("METADATA")]
        metadata = file.read(name).decode()
    requirements = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    for extra, package in (("hub", "safetensors"), ("parquet", "pyarrow"), ("plots", "matplotlib")):
        assert f"Provides-Extra: {extra}" in metadata.splitlines()
        assert any(package in line and f'extra == "{extra}"' in line for line in requirements)


def test_trains_in_an_empty_environment_from_another_folder(wheel, tmp_path):
    environment, folder = tmp_path / "environment", tmp_path / "folder"
    venv.create(environment, with_pip=True)
    python = environment / "bin/python"
    run(python, "-m", "pip", "install", "--no-deps", "--no-index", wheel)
    (site_packages,) = environment.glob("lib/python*/site-packages")
    # A path in a .pth file is that of its packages alone: the .pth file of an editable nerzoo there is not read.
    (site_packages / "locked.pth").write_text(sysconfig.get_path("purelib") + "\n")

    folder.mkdir()
    (folder / ".allennlp_plugins").write_text("nerzoo\n")
    overrides = {
        "train_data_path": str(TREEBANK / "train.conllu"),
        "validation_data_path": str(TREEBANK / "dev.conllu"),
        "trainer.num_epochs": 1,
    }
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = run(
        python, "-c", ALLENNLP, "train", CONFIG, "-s", "run", "--overrides", json.dumps(overrides), cwd=folder, env=env
    )
    assert Path(said.splitlines()[-1]).is_relative_to(site_packages)
    assert (folder / "run/model.tar.gz").exists()

"""
The wheel in an empty environment: it tags beside NumPy and ONNX Runtime alone, and trains beside all locked
dependencies, from any folder.
"""

import ensurepip
import importlib.metadata
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
from helpers.paths import CONFIGS, ROOT
from packaging.requirements import Requirement

from nerzoo.deploy.package import package
from nerzoo.errors import TRAINING

CONFIG = CONFIGS / "deptree_ner.jsonnet"
# pip as Python has it, run without being installed, which takes seconds.
PIP = next(Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl")) / "pip"
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
    for name in ("nerzoo_spacy.py", "nerzoo_torch.py", "pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        copy(ROOT / name, sources)
    name = run(sys.executable, "-c", BUILD, folder, cwd=sources).split()[-1]
    return folder / name


def test_has_the_modules_and_the_mark_of_a_typed_package(wheel):
    expected = {str(path.relative_to(ROOT)) for path in ROOT.glob("nerzoo/**/*.py")}
    expected |= {str(path.relative_to(ROOT)) for path in ROOT.glob("nerzoo/reports/templates/*")}
    models = ROOT / "nerzoo/zoo/models"
    expected |= {str(path.relative_to(ROOT)) for path in (models / "NOTICE", *models.glob("*/*"))}
    expected |= {"nerzoo/py.typed", "nerzoo/deploy/model_card.md", "nerzoo/deploy/server/page.html"}
    expected |= {"nerzoo/data/parser.cfg", "nerzoo_spacy.py", "nerzoo_torch.py"}
    expected |= {f"nerzoo/{path.relative_to(ROOT)}" for path in CONFIGS.rglob("*") if path.is_file()}
    with zipfile.ZipFile(wheel) as file:
        assert {name for name in file.namelist() if ".dist-info/" not in name} == expected


def test_names_what_others_call(wheel):
    """pyproject.toml would hide the entry points of setup.cfg, if it did not name them."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith("entry_points.txt")]
        assert file.read(name).decode().split("\n")[:8] == [
            "[console_scripts]",
            "nerzoo = nerzoo.__main__:main",
            "",
            "[spacy_factories]",
            "nerzoo = nerzoo_spacy:make_component",
            "",
            "[torch.backends]",
            "nerzoo = nerzoo_torch:supply_names",
        ]


def test_names_the_extras(wheel):
    with zipfile.ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith("METADATA")]
        metadata = file.read(name).decode()
    requirements = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    for extra, library in (("hub", "safetensors"), ("parquet", "pyarrow"), ("plots", "matplotlib"), ("train", "torch")):
        assert f"Provides-Extra: {extra}" in metadata.splitlines()
        assert any(library in line and f'extra == "{extra}"' in line for line in requirements)


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """The folder of an environment that has the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    (site_packages,) = folder.glob("lib/python*/site-packages")
    missing, present = ["numpy", "onnxruntime"], set()
    while missing:
        distribution = importlib.metadata.distribution(missing.pop())
        present.add(distribution.name)
        for file in {file.parts[0] for file in distribution.files if ".." not in file.parts}:
            if not (site_packages / file).exists():
                (site_packages / file).symlink_to(distribution.locate_file(file))
        needed = map(Requirement, distribution.requires or [])
        now = [part.name for part in needed if part.marker is None or part.marker.evaluate({"extra": ""})]
        missing += [name for name in now if name not in present]
    # pip looks for all that nerzoo requires, and finds it there.
    run(folder / "bin/python", PIP, "install", "--no-index", "--no-compile", wheel)
    return folder


# Without a proxy or a network, and with nothing of this process's own.
ALONE = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def test_a_packaged_model_tags_without_pytorch(environment, exported, tmp_path):
    model = package(exported, "tiny-names", tmp_path)
    run(environment / "bin/python", PIP, "install", "--no-index", "--no-compile", model)
    nerzoo = environment / "bin/nerzoo"
    assert "tiny-names" in run(nerzoo, "zoo", cwd=tmp_path, env=ALONE)
    said = run(nerzoo, "tag", "--model", "tiny-names", "--text", "Mara lived in Calder.", cwd=tmp_path, env=ALONE)
    assert "Mara" in said and said.endswith(".\n")
    source = "import nerzoo; print(nerzoo.Tagger.load('tiny-names')({'words': ['Mara']})['words'])"
    assert run(environment / "bin/python", "-c", source, cwd=tmp_path, env=ALONE) == "['Mara']\n"


@pytest.mark.skipif(not (ROOT / "nerzoo/zoo/models/en").exists(), reason="the model is not there")
def test_tags_at_once(environment, tmp_path):
    said = run(environment / "bin/nerzoo", "tag", "--text", "Mara Holt moved to Lisbon.", cwd=tmp_path, env=ALONE)
    assert said == "[Mara Holt PER] moved to [Lisbon LOC].\n"


def test_the_overview_says_what_needs_more(environment, tmp_path):
    said = run(environment / "bin/nerzoo", "--help", cwd=tmp_path, env=ALONE)
    assert "nerzoo tag --text" in said
    assert said.endswith(f"All but tag and zoo need PyTorch and AllenNLP:\n  {TRAINING}\n")


@pytest.mark.parametrize(
    "command, message",
    [
        (["nerzoo", "train", "x.jsonnet"], f"nerzoo train needs PyTorch and AllenNLP: {TRAINING}"),
        (["nerzoo", "tag", "model.tar.gz", "x.txt"], f"nerzoo tag needs PyTorch and AllenNLP: {TRAINING}"),
        (["nerzoo", "tag", "--model", "no", "--text", "x"], "no: found no model of the zoo and no file with this name"),
        (["python", "-c", "import nerzoo.models"], f"nerzoo.models needs PyTorch and AllenNLP: {TRAINING}"),
    ],
)
def test_what_needs_more_says_so(environment, tmp_path, command, message):
    command[0] = environment / "bin" / command[0]
    done = subprocess.run(command, cwd=tmp_path, env=ALONE, capture_output=True, text=True)
    assert done.returncode == 1 and message in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) == 1 or command[1] == "-c"


def test_trains_from_another_folder(environment, few_sentences, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / ".allennlp_plugins").write_text("nerzoo\n")
    overrides = {
        "train_data_path": str(few_sentences),
        "validation_data_path": str(few_sentences),
        "trainer.num_epochs": 1,
        # Its training takes seconds.
        "dataset_reader.parser": None,
    }
    # A path there is that of its packages alone: the .pth file of an editable nerzoo there is not read.
    env = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    options = ["train", CONFIG, "-s", "run", "--overrides", json.dumps(overrides)]
    said = run(environment / "bin/python", "-c", ALLENNLP, *options, cwd=folder, env=env)
    assert Path(said.splitlines()[-1]).is_relative_to(environment)
    assert (folder / "run/model.tar.gz").exists()

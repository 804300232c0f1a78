import json
import os
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from allennlp.predictors import Predictor
from helpers.commands import allennlp
from helpers.paths import FIXTURES, ROOT
from safetensors.torch import load_file

from nerzoo import archives
from nerzoo.deploy.publish import needed_files, publish
from nerzoo.inference.tagger import Tagger

TEXT = {
    "words": ["Austin", "travelled", "to", "Chelsea", "."],
    "pos": ["NNP", "VBD", "IN", "NNP", "."],
    "heads": [2, 0, 4, 2, 2],
    "dep_labels": ["nsubj", "root", "case", "obl", "punct"],
}
TEST = str(FIXTURES / "people_and_places/test.conllu")


@pytest.fixture(scope="module")
def folder(deptree_ner, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return publish(deptree_ner / "model.tar.gz", tmp_path_factory.mktemp("hub") / "tagger", TEST, "mit", ["en"])


def test_loads_and_predicts_the_same(deptree_ner, folder):
    paths = (deptree_ner / "model.tar.gz", folder)
    predictions = [Predictor.from_path(path).predict_json(TEXT) for path in paths]
    predictions += [Tagger.load(path, engine="torch")(TEXT) for path in paths]
    assert all(prediction == predictions[0] for prediction in predictions)
    loaded = [load_archive(path) for path in paths]
    states = [archive.model.state_dict() for archive in loaded]
    assert states[0].keys() == states[1].keys()
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])
    assert loaded[0].config.as_dict() == loaded[1].config.as_dict()


def test_in_8_bits(deptree_ner, folder, tmp_path):
    """The same from an archive and from a published folder: no table here is large enough but that of words."""
    found = [publish(source, tmp_path / str(i), bits=8) for i, source in enumerate([deptree_ner, folder])]
    sizes = [os.path.getsize(path / "model.safetensors") for path in [folder, *found]]
    assert sizes[1] < 0.6 * sizes[0] and sizes[1] == sizes[2]
    states = [load_archive(path).model.state_dict() for path in [folder, *found]]
    for name, tensor in states[0].items():
        torch.testing.assert_close(states[1][name], tensor, rtol=0, atol=float(tensor.abs().max()) / 200)
        assert torch.equal(states[1][name], states[2][name])
    tags = [Tagger.load(path)(TEXT)["tags"] for path in [folder, *found]]
    assert tags[0] == tags[1] == tags[2]


def test_has_what_the_hub_takes(folder):
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {name for name in names if not name.startswith("vocabulary/")} == {
        "README.md",
        "checksums.sha256",
        "config.json",
        "meta.json",
        "model.safetensors",
    }
    assert not list(folder.parent.glob(".*"))
    assert (folder / "model.safetensors").stat().st_mode & 0o777 == 0o644


def test_the_card_has_the_scores_of_its_command(folder, tmp_path):
    card = (folder / "README.md").read_text()
    assert "| training | `train.conllu` |" in card and "license: mit" in card
    assert f"    nerzoo evaluate FOLDER {Path(TEST).name}" in card.splitlines()
    overrides = {"model.head": {"metrics_per_type": True}}
    allennlp("evaluate", folder, TEST, "--output-file", tmp_path / "metrics.json", overrides=overrides)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    for row, suffix in (("all", ""), ("person", "-person")):
        cells = " | ".join(f"{100 * metrics[name + suffix]:.1f}" for name in ("precision", "recall", "f1"))
        assert f"| {row} | {cells} | " in card


def test_from_the_folder_of_a_training(deptree_ner, folder, tmp_path):
    """With its archive, as training has left it, or with the best weights alone."""
    for name in ("whole", "without"):
        (tmp_path / name).mkdir()
        for path in deptree_ner.iterdir():
            if path.name in ("config.json", "meta.json", "best.th", "vocabulary") or name == "whole" == "model.tar.gz":
                (tmp_path / name / path.name).symlink_to(path)
        published = publish(tmp_path / name, tmp_path / "hub" / name)
        expected, found = (load_file(path / "model.safetensors") for path in (folder, published))
        assert all(torch.equal(expected[key], found[key]) for key in expected)
        assert "None was measured" in (published / "README.md").read_text()
    # A published folder can be published again, and calibrated ones keep what was fitted.
    calibrated = tmp_path / "calibrated"
    shutil.copytree(folder, calibrated)
    (calibrated / "calibration.json").write_text('{"temperature": 1.5, "promises": {}}')
    again = publish(calibrated, tmp_path / "again")
    assert (again / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()
    assert "By `nerzoo calibrate`, with the temperature 1.5:" in (again / "README.md").read_text()


def test_the_card_ignores_scores_in_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metrics.json").write_text('{"best_epoch": 4, "best_validation_f1": 1.0}')
    assert "None was measured" in (publish("en", tmp_path / "published") / "README.md").read_text()


@pytest.mark.parametrize("revision", ["", "@v1"])
def test_from_the_hub(folder, tmp_path, monkeypatch, revision):
    """Offline: from a cache as huggingface_hub fills it."""
    repository = tmp_path / "models--owner--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / (revision[1:] or "main")).write_text("0123")
    shutil.copytree(folder, repository / "blobs", ignore=shutil.ignore_patterns(".lock"))
    shutil.copytree(repository / "blobs", repository / "snapshots/0123", copy_function=os.symlink)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("allennlp.common.file_utils.CACHE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr("nerzoo.archives.reading.CACHE_DIRECTORY", str(tmp_path))
    name = f"hf://owner/name{revision}"
    expected = Predictor.from_path(folder).predict_json(TEXT)
    assert Predictor.from_path(name).predict_json(TEXT) == expected
    assert Tagger.load(name, engine="torch")(TEXT) == expected
    # All of it, not the links.
    again = publish(name, tmp_path / "again")
    (tmp_path / "content.tar.gz").write_bytes(archives.content(name))
    shutil.rmtree(repository)
    restored = [Tagger.load(path, engine="torch")(TEXT) for path in (again, tmp_path / "content.tar.gz")]
    assert restored == [expected, expected]


class FakeHub:
    """What `huggingface_hub.HfApi` is asked for."""

    calls = []

    def create_repo(self, *args, **kwargs):
        self.calls.append(("create_repo", args, kwargs))

    def upload_folder(self, **kwargs):
        assert not (Path(kwargs["folder_path"]) / "vocabulary/.lock").exists()
        self.calls.append(("upload_folder", (), kwargs))


def test_nothing_is_uploaded_unless_asked(deptree_ner, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.HfApi", FakeHub)
    monkeypatch.setattr("socket.socket.connect", None)
    publish(deptree_ner / "model.tar.gz", tmp_path / "a")
    assert FakeHub.calls == []
    publish(deptree_ner / "model.tar.gz", tmp_path / "b", push="owner/name", private=True)
    assert FakeHub.calls == [
        ("create_repo", ("owner/name",), {"private": True, "exist_ok": True}),
        ("upload_folder", (), {"repo_id": "owner/name", "folder_path": str(tmp_path / "b")}),
    ]
    assert "# owner/name\n" in (tmp_path / "b/README.md").read_text()


@pytest.mark.parametrize(
    "config, test_file, said",
    [
        ("fofe_ner", TEST, ["It knows `organization`, `person`, `place`, and nothing else.", "| person |"]),
        ("ner", FIXTURES / "people_and_places/test.txt", ["| person |"]),
        ("fofe_lm", FIXTURES / "text/test.txt", ["| perplexity |"]),
        (
            "char_attention/small/error_detection",
            FIXTURES / "error_detection/test.tsv",
            ["It knows `c`, `i`", "| f0.5 |"],
        ),
    ],
)
def test_other_models(tmp_path, monkeypatch, config, test_file, said):
    monkeypatch.setenv("WORD_VECTORS", "")
    monkeypatch.chdir(ROOT)
    allennlp("train", f"training_config/{config}.jsonnet", "-s", tmp_path / "run", overrides={"trainer.num_epochs": 1})
    published = publish(tmp_path / "run/model.tar.gz", tmp_path / "hub", str(test_file))
    card = (published / "README.md").read_text()
    assert all(text in card for text in said), card


def test_what_is_no_archive(tmp_path):
    (tmp_path / "a.tar.gz").write_text("a")
    with pytest.raises(
        ConfigurationError,
        match="(?s)a.tar.gz: found an archive that cannot be read .*, expected",
    ):
        publish(tmp_path / "a.tar.gz", tmp_path / "hub")
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz"):
        pass
    with pytest.raises(ConfigurationError, match="b.tar.gz: found no config.json, best.th, vocabulary in it, expected"):
        publish(tmp_path / "b.tar.gz", tmp_path / "hub")
    assert not (tmp_path / "hub").exists()
    (tmp_path / "hub").mkdir()
    with pytest.raises(ConfigurationError, match="hub: found an output that exists, expected the path of a new one"):
        publish(tmp_path / "b.tar.gz", tmp_path / "hub")


@pytest.mark.parametrize("name", ["safetensors", "huggingface_hub"])
def test_without_the_extra(tmp_path, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    if name == "safetensors":
        monkeypatch.setitem(sys.modules, "safetensors.torch", None)
    with pytest.raises(ConfigurationError, match=rf"found no {name}, expected it, .* pip install nerzoo\[hub\]"):
        publish(tmp_path / "a.tar.gz", tmp_path / "hub")


def test_files_that_loading_needs(tmp_path):
    for name in ("names.txt", "vectors.txt", "train.txt"):
        (tmp_path / name).touch()
    model = {"type": "x", "embedder": [{"pretrained_file": f"{tmp_path}/vectors.txt"}], "sizes": [1, None]}
    reader = {"token_indexers": {"a": {"path": f"{tmp_path}/names.txt", "b": "/no/such"}}}
    config = {"model": model, "dataset_reader": reader, "train_data_path": f"{tmp_path}/train.txt"}
    assert needed_files(config, tmp_path) == [f"{tmp_path}/names.txt"]


def test_the_parser_is_in_the_folder_and_parses_raw_text(archives, tmp_path):
    archive, sentence = archives("deptree_ner"), {"sentence": "Mara Holt moved to Calder."}
    folder = publish(archive, tmp_path / "hub")
    # Beside an archive that is a file, and as a stranger's: neither the treebank nor the training is there.
    (tmp_path / "hub/checksums.sha256").unlink()
    config = (folder / "config.json").read_text()
    changed = config.replace('"treebank": "fixtures', '"treebank": "/elsewhere').replace("0.3", "0.30")
    assert changed != config
    (folder / "config.json").write_text(changed)
    source = folder / "parser/source.json"
    source.write_text(source.read_text().replace("fixtures", "/elsewhere"))
    expected = Predictor.from_path(archive, import_plugins=False).predict_json(sentence)
    predicted = Predictor.from_path(folder, import_plugins=False).predict_json(sentence)
    assert predicted == expected and len(expected["words"]) == 6
    source.unlink()
    with pytest.raises(ConfigurationError, match="found dataset_reader.parser.treebank = '/elsewhere"):
        Predictor.from_path(folder, import_plugins=False)

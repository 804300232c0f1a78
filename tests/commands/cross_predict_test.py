"""`nerzoo cross-predict` on the four documents of two files of the fixture, put together."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import ROOT
from helpers.tampered import unpacked

from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.runs import cross_validation, runner

CONFIG = "training_config/fofe_ner/small/nested.jsonnet"
FIXTURES = ROOT / "fixtures/people_and_places"
NUM_FOLDS = 2


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "train.conllu"
    path.write_text("".join((FIXTURES / name).read_text() for name in ("test.conllu", "dev.conllu")))
    return path


def _cross_predict(folder, data, *args, folds=NUM_FOLDS, **overrides):
    overrides = {
        "train_data_path": str(data),
        "validation_data_path": str(FIXTURES / "dev.conllu"),
        "trainer.num_epochs": 2,
        "trainer.cuda_device": -1,
        **overrides,
    }
    allennlp("cross-predict", CONFIG, "-s", folder, "--folds", folds, *args, overrides=overrides)
    return (folder / "predictions.jsonl").read_text()


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("unbroken")
    _cross_predict(folder, data)
    return folder


@pytest.fixture
def finished(unbroken, tmp_path):
    """A copy of the folder, for tests that change it."""
    return shutil.copytree(unbroken, tmp_path / "run")


def test_predictions_are_for_the_training_data_in_its_order(unbroken, data):
    documents, predicted = ConlluCorpus().read(data), JsonlCorpus().read(unbroken / "predictions.jsonl")
    for document, found in zip(documents, predicted, strict=True):
        assert found.id == document.id
        assert [sentence.words for sentence in found.sentences] == [sentence.words for sentence in document.sentences]


def test_each_document_is_predicted_by_the_model_that_was_not_trained_on_it(unbroken, data, tmp_path):
    folds = json.loads((unbroken / "folds.json").read_text())
    assert sorted(map(len, folds)) == [2, 2]
    documents = {f"{data}:{document.id}": document for document in ConlluCorpus().read(data)}
    for number, (fold, (others,)) in enumerate(zip(folds, ([folds[1]], [folds[0]]), strict=True)):
        words = {word for name in others for sentence in documents[name].sentences for word in sentence.words}
        known = set((unbroken / f"fold-{number}/vocabulary/cased.txt").read_text().split("\n")) - {"", "@@UNKNOWN@@"}
        assert known < words
        output = tmp_path / f"{number}.jsonl"
        arguments = ["--use-dataset-reader", "--output-file", output, "--silent", "--batch-size", 32]
        allennlp("predict", unbroken / f"fold-{number}/model.tar.gz", data, *arguments)
        ids = {documents[name].id for name in fold}
        expected, found = (
            [line for line in map(json.loads, path.read_text().splitlines()) if line["doc_id"] in ids]
            for path in (output, unbroken / "predictions.jsonl")
        )
        assert _spans(found) == _spans(expected) and found


def _spans(predictions):
    return [[(e["start"], e["end"], e["label"]) for e in prediction["entities"]] for prediction in predictions]


def test_the_model_is_the_ordinary_one_on_all_training_data(unbroken, data):
    config = json.loads((unbroken / "model/config.json").read_text())
    assert config["train_data_path"] == str(data)
    assert "type" not in config
    assert (unbroken / "model/model.tar.gz").exists()
    for folder in ("model", "fold-0", "fold-1"):
        config = json.loads((unbroken / folder / "config.json").read_text())
        assert config["validation_data_path"] == str(FIXTURES / "dev.conllu")
        assert "best_validation_f1" in json.loads((unbroken / folder / "metrics.json").read_text())


def test_without_validation_data_each_model_is_that_of_the_last_epoch(data, tmp_path):
    path = tmp_path / "run"
    _cross_predict(path, data, validation_data_path=None)
    assert len(list(JsonlCorpus().read(path / "predictions.jsonl"))) == 4
    for folder in ("model", "fold-0", "fold-1"):
        weights = unpacked(path / folder / "model.tar.gz", tmp_path / folder) / "weights.th"
        (of_last_epoch,) = (path / folder).glob("model_state_e2_*.th")
        archived, last = (torch.load(file, weights_only=True) for file in (weights, of_last_epoch))
        assert archived.keys() == last.keys()
        assert all(torch.equal(archived[name], last[name]) for name in last)


def test_what_is_finished_is_not_done_again(finished, data, monkeypatch, capsys):
    monkeypatch.setattr(runner, "train_model", None)
    monkeypatch.setattr(cross_validation, "archives", None)
    before = (finished / "predictions.jsonl").read_text()
    assert _cross_predict(finished, data) == before
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cross-prediction: 4 documents in 2 folds"
    assert lines[1].startswith("fold-0 (1 of 2): precision ")
    assert lines[-1] == f"finished: {finished}/predictions.jsonl and {finished}/model/model.tar.gz"


@pytest.mark.parametrize("missing", ["model", "model/best.th"])
def test_an_interrupted_run_goes_on_to_the_same_predictions(finished, data, missing, monkeypatch):
    predictions = (finished / "predictions.jsonl").read_text()
    (finished / "predictions.jsonl").unlink()
    if missing == "model":
        shutil.rmtree(finished / "model")
    else:
        (finished / "model/model.tar.gz").unlink()
    trained = []
    train_model = runner.train_model

    def note(params, folder, recover, **kwargs):
        trained.append((Path(folder).name, recover))
        return train_model(params, folder, recover=recover, **kwargs)

    monkeypatch.setattr(runner, "train_model", note)
    assert _cross_predict(finished, data) == predictions
    assert trained == [("model", missing != "model")]
    assert (finished / "model/model.tar.gz").exists()


def test_sentences_without_documents_are_predicted_one_by_one(tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text((FIXTURES / "dev.conllu").read_text().replace("# newdoc id", "# not a document"))
    predictions = _cross_predict(tmp_path / "run", path, **{"trainer.num_epochs": 1})
    (document,) = ConlluCorpus().read(path)
    assert [json.loads(line)["words"] for line in predictions.splitlines()] == [
        sentence.words for sentence in document.sentences
    ]
    assert sorted(map(len, json.loads((tmp_path / "run/folds.json").read_text()))) == [16, 17]


def test_another_configuration_in_the_same_folder(unbroken, data):
    with pytest.raises(
        ConfigurationError, match="found another cross-prediction in .*: trainer.num_epochs is 3 and was 2"
    ):
        _cross_predict(unbroken, data, **{"trainer.num_epochs": 3})
    with pytest.raises(ConfigurationError, match="fold_seed is 1 and was 13370"):
        _cross_predict(unbroken, data, "--seed", "1")


@pytest.mark.parametrize(
    ("folds", "overrides", "message"),
    [
        (1, {}, "found 1 folds, expected at least 2: to train and to predict"),
        (5, {}, "found 4 documents, expected at least one for each of 5 folds"),
        (2, {"train_data_path": None}, "found the train_data_path None, expected one"),
        (2, {"distributed": {"cuda_devices": [-1, -1]}}, "with type or distributed, expected neither"),
    ],
)
def test_nothing_is_written_where_it_cannot_work(tmp_path, data, folds, overrides, message):
    with pytest.raises(ConfigurationError, match=message):
        _cross_predict(tmp_path / "run", data, folds=folds, **overrides)
    assert not (tmp_path / "run").exists()

import json
from copy import deepcopy

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training import GradientDescentTrainer

import nerzoo  # noqa: F401

CONFIG = {
    "dataset_reader": {"type": "tagged_sentences", "corpus": "conllu"},
    "data_loader": {"batch_size": 2},
    "model": {
        "type": "sequence_tagger",
        "text_field_embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}},
        "encoder": {"type": "bilstm", "input_size": 4, "hidden_size": 3},
    },
    "trainer": {
        "num_epochs": 3,
        "optimizer": {"type": "adam", "lr": 0.1},
        "validation_metric": "-accuracy",
        "callbacks": ["final_report"],
    },
}


@pytest.fixture
def train(few_sentences, tmp_path, capsys):
    """Trains, and returns the lines of the report and all metrics."""

    def run(**data):
        train_model(Params({**deepcopy(CONFIG), "train_data_path": str(few_sentences), **data}), str(tmp_path / "run"))
        assert (tmp_path / "run/model.tar.gz").exists()
        return report(capsys), json.loads((tmp_path / "run/metrics.json").read_text())

    return run


def report(capsys):
    lines = capsys.readouterr().out.splitlines()
    return [line for line in lines if line.startswith(("validation, ", "training, ", "archive: "))]


def test_reports_the_best_epoch_by_validation_and_where_the_archive_is(train, few_sentences, tmp_path):
    (scores, places), metrics = train(validation_data_path=str(few_sentences))
    epoch, _, found = scores.partition(": ")
    # The lowest accuracy is that of an early epoch.
    assert epoch == f"validation, epoch {metrics['best_epoch'] + 1} of 3" and metrics["best_epoch"] < 2
    expected = {name.removeprefix("best_validation_"): metrics[name] for name in metrics if name.startswith("best_v")}
    assert found.split(", ") == [f"{name} {value:.4f}" for name, value in expected.items()]
    assert {"accuracy", "loss"} <= expected.keys()
    assert places == f"archive: {tmp_path}/run/model.tar.gz; all metrics: {tmp_path}/run/metrics.json"


def test_reports_the_last_epoch_without_validation(train):
    (scores, _), metrics = train()
    assert scores == f"training, last epoch: loss {metrics['training_loss']:.4f}"


def test_reports_nothing_of_an_interrupted_training(train, monkeypatch, capsys):
    def interrupt(self, batch, for_training):
        raise KeyboardInterrupt

    monkeypatch.setattr(GradientDescentTrainer, "batch_outputs", interrupt)
    with pytest.raises(KeyboardInterrupt):
        train()
    assert not report(capsys)

import json
from copy import deepcopy

import pytest
from allennlp.common import Params
from allennlp.training import GradientDescentTrainer

import nerzoo  # noqa: F401
from nerzoo.training.callbacks.final_report import FinalReport, type_rows
from nerzoo.training.train_model import train_model

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
    """Trains, and returns the lines of the report and all metrics; all lines are printed again."""

    def run(**data):
        train_model(Params({**deepcopy(CONFIG), "train_data_path": str(few_sentences), **data}), str(tmp_path / "run"))
        assert (tmp_path / "run/model.tar.gz").exists()
        return report(capsys), json.loads((tmp_path / "run/metrics.json").read_text())

    return run


def report(capsys):
    lines = capsys.readouterr().out.splitlines()
    print(*lines, sep="\n")
    return [line for line in lines if line.startswith(("validation, ", "training, ", "archive: "))]


def test_reports_the_best_epoch_by_validation_and_where_the_archive_is(train, few_sentences, tmp_path):
    (scores, places), metrics = train(validation_data_path=str(few_sentences))
    epoch, _, found = scores.partition(": ")
    # The lowest accuracy is that of an early epoch.
    assert epoch == f"validation, epoch {metrics['best_epoch'] + 1} of 3" and metrics["best_epoch"] < 2
    expected = {name.removeprefix("best_validation_"): metrics[name] for name in metrics if name.startswith("best_v")}
    assert found.split(", ") == [
        f"{name} {value:.4f}" if name == "loss" else f"{name} {100 * value:.1f}" for name, value in expected.items()
    ]
    assert {"accuracy", "loss"} <= expected.keys()
    assert places == f"archive: {tmp_path}/run/model.tar.gz; all metrics: {tmp_path}/run/metrics.json"


def test_scores_by_type_are_those_of_the_best_epoch_and_of_test_data(train, few_sentences, capsys):
    data = dict.fromkeys(("validation_data_path", "test_data_path"), str(few_sentences))
    _, metrics = train(**data, evaluate_on_test=True)
    validation, test = capsys.readouterr().out.split("\ntest: ")
    for part, prefix in ((validation, "best_validation_"), (test, "test_")):
        rows = [line.split() for line in part.splitlines()]
        start = rows.index(["precision", "recall", "F1", "gold"])
        total, *types = [row for row in rows[start + 1 :] if len(row) == 5 and row[4].isdigit()]
        assert total[:4] == ["all", *(f"{100 * metrics[prefix + name]:.1f}" for name in ("precision", "recall", "f1"))]
        assert int(total[4]) == sum(int(row[4]) for row in types) > 0
        assert [int(row[4]) for row in types] == sorted((int(row[4]) for row in types), reverse=True)


def test_most_frequent_types_are_shown():
    counts = {f"type-{number}": [1, 2, number] for number in range(25)}
    rows = type_rows({**counts, "none": [0, 0, 0]})
    assert rows[0] == ["all", "50.0", "8.3", "14.3", "300"] and rows[1] == ["type-24", "50.0", "4.2", "7.7", "24"]
    assert len(rows) == 22 and rows[-1][0] == "and 5 more"


def test_the_table_goes_on_with_a_run_that_was_interrupted(tmp_path):
    before, after = FinalReport(str(tmp_path)), FinalReport(str(tmp_path))
    before.load_state_dict({"table": "a table"})
    after.load_state_dict(before.state_dict())
    assert after.state_dict() == {"table": "a table"}
    # A checkpoint of an earlier version.
    after.load_state_dict({})
    assert after.state_dict() == {"table": ""}


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

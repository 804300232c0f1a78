"""What runs of tables train and evaluate; the commands themselves are not run."""

import json

import pytest

from experiments import run_tables
from experiments.run_tables import execute, runs_of

MODELS = {"spans": "fofe_ner", "tags": "sequence_tagger"}
TABLE = {
    "config": "%s.jsonnet",
    "rows": {row: {} for row in MODELS},
    "seeds": 1,
    "evaluations": {"test": {"data": "test.txt"}, "tuned": {"data": "test.txt", "thresholds": "dev.txt"}},
}


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """The commands of all runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", "data")
    (tmp_path / "experiments/tables").mkdir(parents=True)
    (tmp_path / "experiments/tables/t.jsonnet").write_text(json.dumps(TABLE))
    given = []

    def record(run, *command):
        given.append(command)
        train = run.folder / "train"
        if command[0] == "train":
            train.mkdir()
            (train / "model.tar.gz").touch()
            (train / "config.json").write_text(json.dumps({"model": {"type": MODELS[run.row]}}))
        elif command[0] == "tune-thresholds":
            (train / "tuned/model.tar.gz").touch()

    monkeypatch.setattr(run_tables, "_allennlp", record)
    monkeypatch.setattr(run_tables, "_summary", lambda run: {})
    return given


@pytest.mark.parametrize("row", MODELS)
def test_thresholds_of_fofe_ner_are_tuned_for_an_evaluation(row, commands):
    (run,) = (run for run in runs_of("t") if run.row == row)
    execute(run)
    archive, tuned = (str(run.folder / "train" / name) for name in ("model.tar.gz", "tuned/model.tar.gz"))
    tune = ("tune-thresholds", archive, "data/dev.txt", "--output-file", tuned)
    assert (tune in commands) == (row == "spans")
    evaluated = [command[1:3] for command in commands if command[0] == "evaluate"]
    assert evaluated == [(archive, "data/test.txt"), (tuned if row == "spans" else archive, "data/test.txt")]
    assert [command[1] for command in commands if command[0] == "predict"] == [path for path, _ in evaluated]
    assert (run.folder / "done.json").exists()
    assert not list(run.folder.rglob("*.tar.gz"))

"""The trainings and evaluations of the runs of tables."""

import json
import os
import subprocess
import sys

import pytest
from allennlp.commands import main
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES, ROOT

from experiments import run_tables, runs
from experiments.records import read_counts
from experiments.run_tables import execute
from experiments.runs import runs_named, table_runs
from nerzoo.runs.runner import run_side_by_side

FOLDER = FIXTURES / "people_and_places"
MODELS = {"spans": "fofe_ner", "tags": "sequence_tagger", "theirs": "crf_tagger"}
TABLE = {
    "config": "%s.jsonnet",
    "rows": {row: {} for row in MODELS},
    "seeds": 1,
    "evaluations": {"test": {"data": "test.txt"}, "tuned": {"data": "test.txt", "thresholds": "dev.txt"}},
}


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """The commands of all runs, which are not run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", "data")
    (tmp_path / "experiments/tables").mkdir(parents=True)
    (tmp_path / "experiments/tables/t.jsonnet").write_text(json.dumps(TABLE))
    for row in MODELS:
        (tmp_path / f"{row}.jsonnet").write_text("{}")
    given = []

    def record(run, *command):
        given.append(command)
        train = run.folder / "train"
        if command[0] == "train":
            train.mkdir()
            (train / "model.tar.gz").touch()
            (train / "config.json").write_text(json.dumps({"model": {"type": MODELS[run.row]}}))
        elif command[0] == "predict":
            output = command[command.index("--output-file") + 1]
            (tmp_path / output).write_text('{"words": ["Mara", "left"], "tags": ["U-person", "O"]}\n')
        elif command[0] == "tune-thresholds":
            (train / "tuned/model.tar.gz").touch()

    monkeypatch.setattr(run_tables, "_allennlp", record)
    monkeypatch.setattr(run_tables, "summarize", lambda run: {})
    monkeypatch.setattr(run_tables, "make_record", lambda run, summary: {"fingerprint": run.fingerprint})
    return given


@pytest.mark.parametrize("row", MODELS)
def test_thresholds_of_fofe_ner_are_tuned_for_an_evaluation(row, commands):
    (run,) = (run for run in table_runs("t") if run.row == row)
    run_side_by_side([run], execute)
    archive, tuned = (str(run.folder / "train" / name) for name in ("model.tar.gz", "tuned/model.tar.gz"))
    tune = ("tune-thresholds", archive, "data/dev.txt", "--output-file", tuned)
    assert (tune in commands) == (row == "spans")
    evaluated = [command[1:3] for command in commands if command[0] == "evaluate"]
    assert evaluated == [(archive, "data/test.txt"), (tuned if row == "spans" else archive, "data/test.txt")]
    assert [command[1] for command in commands if command[0] == "predict"] == [path for path, _ in evaluated]
    predictions = [json.loads(path.read_text()) for path in run.folder.glob("*.jsonl")]
    entities = [{"start": 0, "end": 1, "label": "person"}]
    assert all(found.get("entities") == (entities if row == "theirs" else None) for found in predictions)
    assert all(("--predictor" in command) == (row == "theirs") for command in commands if command[0] == "predict")
    assert run.is_done and len(predictions) == 2
    assert not list(run.folder.rglob("*.tar.gz"))


def test_trains_a_run_anew_after_its_configuration_has_changed(commands, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run_tables", "t/tags"])
    run_tables.main()
    trained = len(commands)
    run_tables.main()
    assert len(commands) == trained
    (tmp_path / "tags.jsonnet").write_text('{"trainer": {"num_epochs": 3}}')
    run_tables.main()
    assert len(commands) == 2 * trained
    assert "t: tags, seed 1: its record is of another configuration" in capsys.readouterr().out
    (run,) = runs_named("t/tags")
    assert run.is_done


@pytest.fixture
def executed(tmp_path, monkeypatch):
    """
    A table of two rows with one evaluation. What is run for it, which is run in this process; an `evaluate` fails once.
    """
    (tmp_path / "tables").mkdir()
    options = {"trainer.num_epochs": 1, "validation_data_path": str(FOLDER / "dev.txt"), "model.encoder.hidden_size": 3}
    table = {
        "config": f"{ROOT}/training_config/%s.jsonnet",
        "rows": {
            "ner": {},
            "wide": {"config": f"{ROOT}/training_config/ner.jsonnet", "overrides": {"pytorch_seed": 2}},
        },
        "seeds": 2,
        "overrides": {**options, "train_data_path": str(FOLDER / "test.txt")},
        "environment": {"WORD_VECTORS": ""},
        "evaluations": {"test": {"data": "test.txt"}},
        "metric": "f1",
    }
    (tmp_path / "tables/tiny.jsonnet").write_text(json.dumps(table))
    for name in ("tables", "output", "records"):
        monkeypatch.setattr(runs, name.upper(), tmp_path / name)
    monkeypatch.setenv("DATA", str(FOLDER))
    commands = []

    def run(command, env=None, **options):
        if command[0] == "git":
            return subprocess.CompletedProcess(command, 0, stdout="abc1234")
        commands.append(command[3])
        if commands.count("evaluate") == 1 and command[3] == "evaluate":
            raise subprocess.CalledProcessError(137, command)
        for name in ("SEED", "WORD_VECTORS"):
            monkeypatch.setitem(os.environ, name, env[name])
        monkeypatch.setattr(sys, "argv", ["allennlp", *command[3:]])
        main()

    monkeypatch.setattr(subprocess, "run", run)
    return commands


def test_the_first_seed_of_all_rows_comes_first(executed):
    assert [(run.row, run.seed) for run in table_runs("tiny")] == [("ner", 1), ("wide", 1), ("ner", 2), ("wide", 2)]


@pytest.mark.parametrize(
    "name, runs",
    [("tiny/wide", [("wide", 1), ("wide", 2)]), ("tiny/wide-2", [("wide", 2)]), ("tiny/ner-1", [("ner", 1)])],
)
def test_runs_are_those_of_a_row_or_of_one_seed(executed, name, runs):
    assert [(run.row, run.seed) for run in runs_named(name)] == runs


@pytest.mark.parametrize("name", ["tiny/broad", "tiny/wide-3"])
def test_a_run_that_the_table_has_not_is_refused(executed, name):
    expected = f"tiny: found no run {name[5:]}, expected one of the rows ner, wide, or ROW-SEED"
    with pytest.raises(ConfigurationError, match=expected):
        list(runs_named(name))


def test_a_run_goes_on_where_it_was_and_is_not_done_twice(executed, capsys):
    run = next(table_runs("tiny"))
    run_side_by_side([run], execute)
    assert "FAILED" in capsys.readouterr().out
    assert not run.is_done
    run_side_by_side([run], execute)
    assert executed == ["train", "evaluate", "evaluate", "predict"]
    assert (run.record["epochs"], run.record["best_epoch"]) == (1, 1) and run.record["parameters"] > 1000
    test = run.record["evaluations"]["test"]
    numerators, denominators = read_counts(test).sum(0)
    assert test["metrics"]["f1"] == pytest.approx(numerators / max(denominators, 1), abs=1e-6)
    assert not [*run.folder.rglob("*.th"), *run.folder.rglob("model.tar.gz")]
    run_side_by_side([run], execute)
    assert len(executed) == 4

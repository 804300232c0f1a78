import json

import pytest
from helpers.paths import FIXTURES

from experiments import fitted
from experiments.fitted import CORPORA, Corpus, fitted_runs, fitted_table


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A corpus in place of the others, in an empty folder of results."""
    monkeypatch.setenv("DATA", str(FIXTURES))
    monkeypatch.setattr(fitted, "OUTPUT", tmp_path)
    monkeypatch.setattr(fitted, "RECORDS", tmp_path / "records")
    parts = (f"people_and_places/{part}.txt" for part in ("train", "dev"))
    monkeypatch.setitem(CORPORA, "small", Corpus(*parts, "table/row", "columns"))
    return tmp_path


def test_runs_of_configurations_that_init_writes(small):
    vectors = small / "vectors.txt"
    vectors.write_text("spain 0.1 0.2\n")
    (run,) = fitted_runs(["small"], str(vectors))
    assert run.folder == small / "small" and run.config["vocabulary"]["pretrained_files"]["tokens"] == str(vectors)
    assert run.config["train_data_path"] == str(FIXTURES / "people_and_places/train.txt")
    # It is not written again.
    (small / "small.jsonnet").write_text("{ train_data_path: 'mine', trainer: {} }")
    (run,) = fitted_runs(["small"], "none")
    assert run.config["train_data_path"] == "mine"


def test_table(small):
    record = small / "records/table/row-1.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"development": {"f1": 0.501}}))
    assert fitted_table({"small": 50.0}).splitlines()[-1] == "| small | 50.0 | `table/row` | 50.1 | -0.1 |"

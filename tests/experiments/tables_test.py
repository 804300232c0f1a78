"""Tables of trainings name configurations and rows that there are."""

import pytest
from helpers.paths import ROOT

from experiments.runs import TABLES, read_table, runs_of

NAMES = sorted(path.stem for path in (ROOT / TABLES).glob("*.jsonnet"))


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", NAMES)
def test_configurations_and_rows(name):
    table, runs = read_table(name), list(runs_of(name))
    assert all((ROOT / run.config).exists() for run in runs)
    assert table.get("reference", runs[0].row) in table["rows"]
    assert sorted(table.get("order", table["rows"])) == sorted(table["rows"])
    assert table.get("gold", runs[0].row) in table["rows"]
    assert ("folds" in table) != ("evaluations" in table)

"""The tables in the pages of results are those that the records give."""

import json
import re

import pytest
from helpers.paths import ROOT

from experiments import tabulate
from experiments.runs import TABLES, table_runs

PAGES = [
    page for page in sorted((ROOT / "docs/results").glob("*.md")) if "<!-- experiments.tabulate" in page.read_text()
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_tables_are_those_of_the_records(path, monkeypatch):
    monkeypatch.setenv("DATA", "/nowhere")
    page = path.read_text()
    assert tabulate.with_tables(page) == page


def test_some_pages_have_tables():
    assert len(PAGES) >= 5


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_shows_no_winner_in_bold_and_calls_single_seeds_pilots(path):
    page = path.read_text()
    assert "**" not in page and "__" not in page
    assert not re.search(r"(?m)^\| `.+` \| [\d,]+ \| 1( of \d)? \|", page) or "pilot" in page


def test_each_record_belongs_to_a_row_and_to_committed_code():
    paths = {run.product.resolve() for table in TABLES.glob("*.jsonnet") for run in table_runs(table.stem)}
    found = sorted((ROOT / "docs/results/runs").glob("*/*.json"))
    assert found and {path.resolve() for path in found} <= paths
    assert not [path for path in found if json.loads(path.read_text())["commit"].endswith("-dirty")]

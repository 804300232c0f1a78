"""
The runs of the tables of docs/results: each row of experiments/tables/TABLE.jsonnet with each seed.

A table has a `config` for its `rows`, the `seeds`, and either `evaluations` on data below the folder that the variable
DATA names, or a number of `folds`.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides
from rjsonnet import evaluate_file

from nerzoo.configuration.sources import with_defaults
from nerzoo.files import read_run_file

TABLES = Path("experiments/tables")
OUTPUT = Path("output/tables")
RECORDS = Path("docs/results/runs")
FOLDS = "folds"


@dataclass
class TableRun:
    """One row of a table with one seed."""

    table: str
    row: str
    seed: int
    specification: Dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.table}: {self.row}, seed {self.seed}"

    @property
    def folder(self) -> Path:
        return OUTPUT / self.table / f"{self.row}-{self.seed}"

    @property
    def product(self) -> Path:
        """The file of the record."""
        return RECORDS / self.table / f"{self.row}-{self.seed}.json"

    @property
    def is_done(self) -> bool:
        """`True` if the run has a record of today's configuration and evaluations."""
        return self.product.exists() and self.record["fingerprint"] == self.fingerprint

    @cached_property
    def record(self) -> Dict[str, Any]:
        return read_run_file(self.product, dict)

    @property
    def environment(self) -> Dict[str, str]:
        given = {**self.specification.get("environment", {}), **self._row.get("environment", {})}
        return with_defaults({**os.environ, "OMP_NUM_THREADS": "1", **given, "SEED": str(self.seed)})

    @property
    def config(self) -> str:
        return self._row.get("config") or self.specification["config"] % self.row

    @property
    def program(self) -> Optional[List[str]]:
        """The module, with its first arguments, that is run in place of `nerzoo cross-validate`, if any."""
        return self._row.get("program")

    @property
    def overrides(self) -> Dict[str, Any]:
        return {**self.specification.get("overrides", {}), **self._row.get("overrides", {})}

    @property
    def evaluations(self) -> Dict[str, Dict[str, Any]]:
        """The evaluations by name: those on files, or that of all folds together."""
        return {FOLDS: {}} if FOLDS in self.specification else self.specification["evaluations"]

    @property
    def sentences_per_loss(self) -> int:
        """The number of sentences that a training loss sums over: a batch, if the model takes no mean."""
        return self._row.get("sentences_per_loss", 1)

    def rendered_config(self, overrides: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
        """The configuration as AllenNLP reads it, with the overrides of the run and these."""
        config = json.loads(evaluate_file(self.config, ext_vars=self.environment))
        return with_overrides(with_overrides(config, self.overrides), dict(overrides or {}))

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the training and the evaluations; the place of the data and checkpoints do not count."""
        config = self.rendered_config()
        config.get("trainer", {}).pop("checkpointer", None)
        content = json.dumps([config, self.evaluations, self.specification.get(FOLDS)], sort_keys=True)
        return hashlib.sha256(content.replace(os.environ["DATA"], "DATA").encode()).hexdigest()[:16]

    @property
    def _row(self) -> Dict[str, Any]:
        return self.specification["rows"][self.row]


def read_table(table: str) -> Dict[str, Any]:
    """The specification of a table. The `order` of its rows is that of the alphabet by default."""
    specification = json.loads(evaluate_file(str(TABLES / f"{table}.jsonnet")))
    order = specification.setdefault("order", list(specification["rows"]))
    if different := sorted({*order} ^ {*specification["rows"]}):
        raise ConfigurationError(
            f"{table}: found {', '.join(different)} in order or in rows alone, expected the same ones in both"
        )
    return specification


def table_runs(table: str) -> Iterator[TableRun]:
    """All runs of a table, by seed, rows in `order`; a row may have fewer `seeds` than the table."""
    specification = read_table(table)
    for seed in range(1, specification["seeds"] + 1):
        for row in specification["order"]:
            if seed <= specification["rows"][row].get("seeds", specification["seeds"]):
                yield TableRun(table, row, seed, specification)


def runs_named(name: str) -> Iterator[TableRun]:
    """The runs of `TABLE` or of `TABLE/ROW`, or the run `TABLE/ROW-SEED`."""
    table, _, part = name.partition("/")
    found = [run for run in table_runs(table) if part in ("", run.row, f"{run.row}-{run.seed}")]
    if not found:
        rows = ", ".join(read_table(table)["order"])
        raise ConfigurationError(f"{table}: found no run {part}, expected one of the rows {rows}, or ROW-SEED")
    yield from found

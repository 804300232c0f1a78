"""
Trains and evaluates the models of a table: what is missing of it, so that the same command goes on where it was.

    DATA=FOLDER python -m experiments.run_tables [--jobs 2] TABLE[/ROW[-SEED]] ...

A table is experiments/tables/TABLE.jsonnet, with a `config` for its `rows`, the `seeds`, and either `evaluations` on
data below DATA or a number of `folds`. The first seed of all rows comes first, as a pilot of the others. A run has a
folder, output/tables/TABLE/ROW-SEED/:

    train/                     what `allennlp train` or `allennlp cross-validate` writes, in the end without weights
    EVALUATION.json, .jsonl    the metrics of `allennlp evaluate` and the output of `allennlp predict`
    log                        what the commands say
    done.json                  the number of parameters, epochs and seconds; there once the run is finished

An evaluation with `thresholds`, a file of development data below DATA, is of a `fofe_ner` with the thresholds that
`allennlp tune-thresholds` finds there; other models have none.
"""

import argparse
import fcntl
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List

from _jsonnet import evaluate_file
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive

import nerzoo  # noqa: F401
from nerzoo.files import write_json

TABLES = Path("experiments/tables")
OUTPUT = Path("output/tables")


@dataclass
class Run:
    """One row of a table with one seed."""

    table: str
    row: str
    seed: int
    specification: Dict[str, Any]

    @property
    def folder(self) -> Path:
        return OUTPUT / self.table / f"{self.row}-{self.seed}"

    @property
    def environment(self) -> Dict[str, str]:
        given = {**self.specification.get("environment", {}), **self._row.get("environment", {})}
        return {**os.environ, "OMP_NUM_THREADS": "1", **given, "SEED": str(self.seed)}

    @property
    def config(self) -> str:
        return self._row.get("config") or self.specification["config"] % self.row

    @property
    def overrides(self) -> Dict[str, Any]:
        return {**self.specification.get("overrides", {}), **self._row.get("overrides", {})}

    @property
    def _row(self) -> Dict[str, Any]:
        return self.specification["rows"][self.row]

    def __str__(self) -> str:
        return f"{self.table}: {self.row}, seed {self.seed}"


def read_table(table: str) -> Dict[str, Any]:
    """The specification of a table. The `order` of its rows is that of the alphabet unless it says another."""
    specification = json.loads(evaluate_file(str(TABLES / f"{table}.jsonnet")))
    order = specification.setdefault("order", list(specification["rows"]))
    if different := sorted({*order} ^ {*specification["rows"]}):
        raise ConfigurationError(
            f"{table}: found {', '.join(different)} in order or in rows alone, expected the same ones in both"
        )
    return specification


def runs_of(table: str) -> Iterator[Run]:
    """All runs of a table, by seed, rows in `order`; a row may have fewer `seeds` than the table."""
    specification = read_table(table)
    for seed in range(1, specification["seeds"] + 1):
        for row in specification["order"]:
            if seed <= specification["rows"][row].get("seeds", specification["seeds"]):
                yield Run(table, row, seed, specification)


def runs_named(name: str) -> Iterator[Run]:
    """The runs of `TABLE`, of `TABLE/ROW`, or that of `TABLE/ROW-SEED`."""
    table, _, part = name.partition("/")
    found = [run for run in runs_of(table) if part in ("", run.row, f"{run.row}-{run.seed}")]
    if not found:
        rows = ", ".join(read_table(table)["order"])
        raise ConfigurationError(f"{table}: found no run {part}, expected one of the rows {rows}, or ROW-SEED")
    yield from found


def execute(run: Run) -> None:
    """Does what is missing of a run, unless another process is at it."""
    run.folder.mkdir(parents=True, exist_ok=True)
    with open(run.folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{run}: another process is at it", flush=True)
            return
        if (run.folder / "done.json").exists():
            return
        try:
            _train(run)
            for name, evaluation in run.specification.get("evaluations", {}).items():
                _evaluate(run, name, evaluation)
            write_json(run.folder / "done.json", _summary(run))
        except subprocess.CalledProcessError as error:
            print(f"{run}: FAILED, see {run.folder}/log ({error})", flush=True)
            return
        _remove_weights(run.folder / "train")
        print(f"{run}: done", flush=True)


def _train(run: Run) -> None:
    folder = run.folder / "train"
    options = ["-s", str(folder), "-o", json.dumps(run.overrides)]
    if "folds" in run.specification:
        _allennlp(run, "cross-validate", run.config, *options, "--folds", str(run.specification["folds"]), "--predict")
    elif not (folder / "model.tar.gz").exists():
        # Where it was killed before the first checkpoint there is nothing to go on from.
        begun = any(folder.glob("training_state_*.th"))
        if not begun:
            shutil.rmtree(folder, ignore_errors=True)
        _allennlp(run, "train", run.config, *options, *(["--recover"] if begun else []))


def _evaluate(run: Run, name: str, evaluation: Dict[str, Any]) -> None:
    archive = str(_tuned(run, name, evaluation))
    data = os.path.join(os.environ["DATA"], evaluation["data"])
    metrics, predictions = run.folder / f"{name}.json", run.folder / f"{name}.jsonl"
    options = ["-o", json.dumps(evaluation.get("overrides", {}))]
    _allennlp(run, "evaluate", archive, data, "--output-file", str(metrics), *options)
    if evaluation.get("predict", True):
        predict = ["--output-file", str(predictions), "--use-dataset-reader", "--silent", "--batch-size", "32"]
        _allennlp(run, "predict", archive, data, *predict, *options)


def _tuned(run: Run, name: str, evaluation: Dict[str, Any]) -> Path:
    """The archive of a run, or that with tuned thresholds."""
    archive = run.folder / "train" / "model.tar.gz"
    config = json.loads((run.folder / "train" / "config.json").read_text())
    if "thresholds" not in evaluation or config["model"]["type"] != "fofe_ner":
        return archive
    tuned = run.folder / "train" / name / "model.tar.gz"
    shutil.rmtree(tuned.parent, ignore_errors=True)
    tuned.parent.mkdir()
    data = os.path.join(os.environ["DATA"], evaluation["thresholds"])
    _allennlp(run, "tune-thresholds", str(archive), data, "--output-file", str(tuned))
    return tuned


def _allennlp(run: Run, *command: str) -> None:
    arguments = [sys.executable, "-m", "allennlp", *command, "--include-package", "nerzoo"]
    with open(run.folder / "log", "a") as log:
        log.write(f"$ {' '.join(command)}\n")
        log.flush()
        subprocess.run(arguments, env=run.environment, stdout=log, stderr=subprocess.STDOUT, check=True)


def _summary(run: Run) -> Dict[str, Any]:
    """The number of trained parameters, of epochs and of the best one, and seconds; of folds those of the first."""
    archives = (run.folder / "train").rglob("model.tar.gz")
    folder = next(path.parent for path in sorted(archives) if (path.parent / "metrics.json").exists())
    metrics = json.loads((folder / "metrics.json").read_text())
    hours, minutes, seconds = metrics["training_duration"].split(":")
    model = load_archive(folder / "model.tar.gz").model
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad),
        "epochs": metrics["epoch"] + 1,
        "best_epoch": metrics["best_epoch"] + 1 if "best_epoch" in metrics else None,
        "seconds": 3600 * int(hours) + 60 * int(minutes) + float(seconds),
    }


def _remove_weights(folder: Path) -> None:
    for pattern in ("*.th", "model.tar.gz"):
        for path in folder.rglob(pattern):
            path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="TABLE[/ROW[-SEED]]")
    parser.add_argument("--jobs", type=int, default=1, help="how many runs side by side, each with one thread")
    parser.add_argument("--list", action="store_true", help="say what is missing, and train nothing")
    arguments = parser.parse_args()
    runs: List[Run] = [run for name in arguments.tables for run in runs_named(name)]
    missing = [run for run in runs if not (run.folder / "done.json").exists()]
    print(f"{len(missing)} of {len(runs)} runs are missing", flush=True)
    if arguments.list:
        print(*missing, sep="\n")
        return
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(execute, missing))


if __name__ == "__main__":
    main()

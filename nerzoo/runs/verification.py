"""Runs that are done again, to see whether they come out the same."""

import shutil
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.gold import read_gold, with_gold
from nerzoo.evaluation.matching import sentence_counts
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.formats.predictions import read_predictions
from nerzoo.reports.data_facts import data_facts
from nerzoo.runs.bench import Bench
from nerzoo.runs.execution import sha256
from nerzoo.runs.machine import machine, versions
from nerzoo.runs.run import LOG_NAME, PREDICTIONS_NAME, Run, do_runs
from nerzoo.runs.systems.all_systems import all_systems

VERIFICATION_NAME = "verification"


def verify(bench: Bench, rows: Optional[Sequence[str]] = None, jobs: int = 1) -> List[Dict[str, Any]]:
    """
    Does runs again, in the folder `verification`, and compares what they predict with what they predicted.

    # Parameters

    bench : `Bench`
    rows : `Sequence[str]`, optional
        Names of runs, `ner-1-0`, or of systems, all of whose runs are meant; by default, all runs that are done.
    jobs : `int`, optional (default = `1`)

    # Returns

    `List[Dict[str, Any]]`
        Of each run its `name`; `is_same`, whether the record, the file of predictions and the new predictions agree;
        `f1`, by the record's file, and `f1_now`, `None` where the run failed; and `remarks`: what has changed since.

    # Raises

    `ConfigurationError` where there is no such run that is done.
    """
    done = [run for run in bench.runs if run.record is not None]
    chosen = [run for run in done if rows is None or {run.folder.name, run.system} & {*rows}]
    unknown = [row for row in rows or () if not any(row in (run.folder.name, run.system) for run in done)]
    if unknown or not chosen:
        missing = f" {', '.join(unknown)}" if unknown else ""
        known = ", ".join(run.folder.name for run in done) or "none"
        raise ConfigurationError(f"found no run{missing} that is done, expected some of {known}")
    again = [run._replace(folder=bench.folder / VERIFICATION_NAME / run.folder.name) for run in chosen]
    for other in again:
        shutil.rmtree(other.folder, ignore_errors=True)
        bench.specification(other).write(other.folder)
    do_runs(again, jobs)
    since = list(_changes(bench))
    return [_comparison(bench, *pair, since) for pair in zip(chosen, again, strict=True)]


def _comparison(bench: Bench, run: Run, again: Run, since: List[str]) -> Dict[str, Any]:
    before, now = run.record, again.record
    assert before is not None
    remarks = list(since)
    if sha256(run.folder / PREDICTIONS_NAME) != before["predictions_sha256"]:
        remarks.append(f"{run.folder / PREDICTIONS_NAME} is not what the record was written of")
    if now is None:
        remarks.append(f"it failed, see {again.folder / LOG_NAME}")
    elif now["epochs"] != before["epochs"]:
        remarks.append(f"{now['epochs']} epochs, and {before['epochs']} before")
    hashes = {sha256(run.folder / PREDICTIONS_NAME), before["predictions_sha256"]}
    return {
        "name": run.folder.name,
        "is_same": now is not None and hashes == {now["predictions_sha256"]},
        "f1": _f1(bench, run),
        "f1_now": None if now is None else _f1(bench, again),
        "remarks": remarks,
    }


def _f1(bench: Bench, run: Run) -> float:
    gold = read_gold(str(bench.specification(run).path(run.folder, "test")), JsonlCorpus())
    predicted = list(read_predictions(str(run.folder / PREDICTIONS_NAME), "entities"))
    correct, total = sentence_counts("f1", with_gold(predicted, gold)).sum(0)
    return float(correct / max(total, 1))


def _changes(bench: Bench) -> Iterator[str]:
    """Yields what is another since the bench was started, and may be why a run comes out differently."""
    facts = bench.facts
    systems = all_systems(Path(bench.settings.configs))
    now = {"machine": machine(), "versions": versions()}
    for what, values in now.items():
        for name in values.keys() | facts[what].keys():
            if values.get(name) != facts[what].get(name):
                yield f"{name} is {values.get(name)} and was {facts[what].get(name)}"
    for path, digest in facts["sha256"].items():
        if not Path(path).exists() or data_facts(Path(path), None).sha256 != digest:
            yield f"{path} is another file"
    for name, fingerprint in facts["fingerprints"].items():
        if systems[name].fingerprint != fingerprint:
            yield f"the configuration of {name} is another one"

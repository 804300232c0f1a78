"""Runs that are done again, to see whether the outcome is the same."""

import shutil
from typing import Any, Dict, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.gold import read_gold, sentence_counts, with_gold
from nerzoo.files import digest
from nerzoo.formats.jsonl import JsonlCorpus, read_predictions
from nerzoo.runs.bench import PREDICTIONS_NAME, Bench, BenchRun, do_runs, machine, versions
from nerzoo.runs.runner import LOG_NAME, differences


def verify(bench: Bench, rows: Optional[Sequence[str]] = None, jobs: int = 1) -> List[Dict[str, Any]]:
    """
    Does runs again, in the folder `verification`, and compares their predictions with those of the bench. `rows` are
    names of runs, such as `ner-1-0`, or of systems, for all their runs; by default, all runs that are done. Returns for
    each run its `name`; `is_same`, true if the record, the file of predictions and the new predictions agree; `f1` of
    the file and `f1_now`, `None` where the run failed; and `remarks` on differences and their causes. Raises
    `ConfigurationError` where there is no such run that is done.
    """
    done = [run for run in bench.runs if run.product.exists()]
    chosen = [run for run in done if rows is None or {run.folder.name, run.system} & {*rows}]
    unknown = [row for row in rows or () if not any(row in (run.folder.name, run.system) for run in done)]
    if unknown or not chosen:
        names = f" {', '.join(unknown)}" if unknown else ""
        known = ", ".join(run.folder.name for run in done) or "none"
        raise ConfigurationError(f"found no run{names} that is done, expected some of {known}")
    again = [run._replace(folder=bench.folder / "verification" / run.folder.name) for run in chosen]
    for run in again:
        shutil.rmtree(run.folder, ignore_errors=True)
        bench.specification(run).write(run.folder)
    do_runs(again, jobs)
    facts = bench.facts
    changes = [
        *differences(facts["machine"], machine(), str),
        *differences(facts["versions"], versions(), str),
        *bench.changes(),
    ]
    return [_comparison(bench, *pair, changes) for pair in zip(chosen, again, strict=True)]


def _comparison(bench: Bench, run: BenchRun, again: BenchRun, changes: List[str]) -> Dict[str, Any]:
    before, now = run.record, again.record
    assert before is not None
    remarks = list(changes)
    sha256 = digest(run.folder / PREDICTIONS_NAME)
    if sha256 != before["predictions_sha256"]:
        remarks.append(f"{run.folder / PREDICTIONS_NAME} is not what the record was written of")
    if now is None:
        remarks.append(f"it failed, see {again.folder / LOG_NAME}")
    elif now["epochs"] != before["epochs"]:
        remarks.append(f"{now['epochs']} epochs, and {before['epochs']} before")
    return {
        "name": run.folder.name,
        "is_same": now is not None and sha256 == before["predictions_sha256"] == now["predictions_sha256"],
        "f1": _f1(bench, run),
        "f1_now": None if now is None else _f1(bench, again),
        "remarks": remarks,
    }


def _f1(bench: Bench, run: BenchRun) -> float:
    gold = read_gold(str(bench.specification(run).path(run.folder, "test")), JsonlCorpus())
    predicted = list(read_predictions(str(run.folder / PREDICTIONS_NAME), "entities"))
    correct, total = sentence_counts("f1", with_gold(predicted, gold)).sum(0)
    return float(correct / max(total, 1))

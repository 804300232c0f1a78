"""
Writes the scores of nerzoo's configurations, which `nerzoo config list` shows, from the records of docs/results/runs:

    DATA=FOLDER python -m experiments.record_index

A configuration has those of the first table with a row of it, over the seeds that were run.
"""

import os
import statistics
from typing import Any, Dict, List

from experiments.common import argument_parser
from experiments.runs import TABLES, TableRun, table_runs
from nerzoo.configuration.sources import CONFIGURATIONS, RECORDS_NAME, configuration_names
from nerzoo.files import write_json


def record_index() -> Dict[str, Dict[str, Any]]:
    """Returns the scores by the names of configurations."""
    runs: Dict[str, List[TableRun]] = {}
    for table in sorted(path.stem for path in TABLES.glob("*.jsonnet")):
        for run in table_runs(table):
            name = os.path.relpath(run.config, CONFIGURATIONS.name).removesuffix(".jsonnet")
            before = runs.setdefault(name, [])
            if run.is_done and (not before or (before[0].table, before[0].row) == (table, run.row)):
                before.append(run)
    return {name: _scores(runs[name]) for name in configuration_names() if runs.get(name)}


def _scores(runs: List[TableRun]) -> Dict[str, Any]:
    metric = runs[0].specification["metric"]
    # A record lacks evaluations that came after it.
    evaluation = next(name for name in runs[0].evaluations if all(name in run.record["evaluations"] for run in runs))
    is_current = all(run.record["fingerprint"] == run.fingerprint for run in runs)
    scores = [run.record["evaluations"][evaluation]["metrics"][metric] for run in runs]
    return {
        "evaluation": evaluation,
        "metric": metric,
        "mean": statistics.mean(scores),
        "deviation": statistics.stdev(scores) if len(scores) > 1 else None,
        "seeds": len(scores),
        "minutes": statistics.mean(run.record["seconds"] for run in runs) / 60,
        "is_current": is_current and not runs[0].overrides.keys() - {"evaluate_on_test"},
    }


def main() -> None:
    argument_parser(__doc__).parse_args()
    write_json(CONFIGURATIONS / RECORDS_NAME, record_index())


if __name__ == "__main__":
    main()

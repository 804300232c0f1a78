"""
Writes the scores of nerzoo's configurations, which `nerzoo config list` shows, from the records of docs/results/runs:

    DATA=FOLDER python -m experiments.record_index

A configuration has those of the first table with a row of it, over the seeds that were run. They are also the last line
of the comment at the top of each row on a free corpus.
"""

import os
import re
import statistics
from typing import Any, Dict, List, Mapping, Optional

from experiments.common import argument_parser
from experiments.runs import TABLES, TableRun, table_runs
from nerzoo.commands.config import measured_score
from nerzoo.configuration.sources import CONFIGURATIONS, RECORDS_NAME, configuration_names
from nerzoo.files import write_json, write_text

_HEADER = re.compile(r"(?P<text>(?:(?!// Measured: )//.*\n)*)(?:// Measured: .*\n)?")


def record_index() -> Dict[str, Dict[str, Any]]:
    """Returns the scores by the names of configurations."""
    runs: Dict[str, List[TableRun]] = {}
    for table in sorted(path.stem for path in TABLES.glob("*.jsonnet")):
        for run in table_runs(table):
            name = os.path.relpath(run.config, CONFIGURATIONS.name).removesuffix(".jsonnet")
            before = runs.setdefault(name, [])
            # With overrides, or with a program in place of its model, a configuration is another one.
            is_other = run.program is not None or run.overrides.keys() - {"evaluate_on_test"}
            if run.is_done and not is_other and (not before or (before[0].table, before[0].row) == (table, run.row)):
                before.append(run)
    return {name: _scores(runs[name]) for name in configuration_names() if runs.get(name)}


def _scores(runs: List[TableRun]) -> Dict[str, Any]:
    metric = runs[0].specification["metric"]
    # A record lacks evaluations that came after it.
    names = [name for name in runs[0].evaluations if all(name in run.record["evaluations"] for run in runs)]
    evaluation = "test" if "test" in names else names[0]
    scores = [run.record["evaluations"][evaluation]["metrics"][metric] for run in runs]
    return {
        "evaluation": evaluation,
        "metric": metric,
        "mean": statistics.mean(scores),
        "deviation": statistics.stdev(scores) if len(scores) > 1 else None,
        "seeds": len(scores),
        "minutes": statistics.mean(run.record["seconds"] for run in runs) / 60,
    }


def corpus_rows() -> List[str]:
    """Returns the names of the configurations on the corpora of docs/results."""
    parts = [name.split("/") for name in configuration_names()]
    return ["/".join(part) for part in parts if len(part) == 3 and part[1] not in ("paper", "small")]


def with_score(source: str, scores: Optional[Mapping[str, Any]]) -> str:
    """Returns a configuration with its score as the last line of the comment at its top."""
    line = f"// Measured: {measured_score(scores) if scores else 'not trained'}.\n"
    return _HEADER.sub(lambda header: header["text"] + line, source, count=1)


def main() -> None:
    argument_parser(__doc__).parse_args()
    index = record_index()
    write_json(CONFIGURATIONS / RECORDS_NAME, index)
    for name in corpus_rows():
        path = CONFIGURATIONS / f"{name}.jsonnet"
        write_text(path, with_score(path.read_text(encoding="utf-8"), index.get(name)))


if __name__ == "__main__":
    main()

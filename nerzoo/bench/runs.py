"""The runs of a bench, each in a process of its own, several at a time."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from nerzoo.bench.execution import PREDICTIONS_NAME, RECORD_NAME
from nerzoo.bench.run_specification import RunSpecification

RUNS_NAME = "runs"
LOG_NAME = "log"


class Run(NamedTuple):
    """A run of a system with a seed on a split of the data, in its folder."""

    folder: Path
    system: str
    seed: int
    split: int

    @property
    def record(self) -> Optional[Dict[str, Any]]:
        """What it left when it was done."""
        path = self.folder / RECORD_NAME
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    @property
    def predictions(self) -> List[str]:
        """The lines of its predictions."""
        return (self.folder / PREDICTIONS_NAME).read_text(encoding="utf-8").splitlines(keepends=True)


def run_at(parent: Path, system: str, seed: int, split: int) -> Run:
    """Returns a run below a folder."""
    return Run(parent / f"{system}-{seed}-{split}", system, seed, split)


def do_runs(runs: Sequence[Run], jobs: int) -> None:
    """Does those that are not done, and says how they ended; what one of them says is in the file `log`."""
    missing = [run for run in runs if run.record is None]
    with ThreadPoolExecutor(jobs) as pool:
        for number, (run, status) in enumerate(zip(missing, pool.map(_do, missing), strict=True), start=1):
            said = "done" if status == 0 else f"FAILED, see {run.folder / LOG_NAME}"
            print(f"{run.folder.parent.name}/{run.folder.name} ({number} of {len(missing)}): {said}", flush=True)


def _do(run: Run) -> int:
    command = [sys.executable, "-m", "nerzoo.bench", str(run.folder)]
    environment = {**os.environ, **RunSpecification.read(run.folder).environment}
    with (run.folder / LOG_NAME).open("a", encoding="utf-8") as log:
        return subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment).returncode

"""The runs of a bench, each in a process of its own, several at a time."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from nerzoo.files import write_json

SPECIFICATION_NAME = "run.json"


@dataclass(frozen=True)
class RunSpecification:
    """All that decides what a run of a system gives: what `run.json` in its folder says."""

    system: str
    seed: int
    epochs: int
    data: str
    """The folder with `train.jsonl`, `dev.jsonl` and `test.jsonl`, seen from that of the run."""
    max_length: int
    """Of the entities that a system which looks at all spans looks for."""
    configs: str
    """The folder with the configurations of systems."""
    word_vectors: str = ""
    """The file of word vectors; empty where they are learned."""
    vector_size: int = 100
    language: str = "en"
    """For spaCy's pipelines."""
    num_threads: int = 1

    @classmethod
    def read(cls, folder: Path) -> "RunSpecification":
        """Reads the one of a folder."""
        return cls(**json.loads((folder / SPECIFICATION_NAME).read_text(encoding="utf-8")))

    def write(self, folder: Path) -> None:
        """Writes it into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / SPECIFICATION_NAME, asdict(self))

    def path(self, folder: Path, part: str) -> Path:
        """Returns the file of the `train`, `dev` or `test` part of the run in a folder."""
        return (folder / self.data / f"{part}.jsonl").resolve()

    @property
    def environment(self) -> Dict[str, str]:
        """The environment variables that configurations read, and the number of threads."""
        return {
            "SEED": str(self.seed),
            "EPOCHS": str(self.epochs),
            "WORD_VECTORS": self.word_vectors,
            "WORD_VECTOR_SIZE": str(self.vector_size),
            "OMP_NUM_THREADS": str(self.num_threads),
        }


RECORD_NAME = "record.json"
PREDICTIONS_NAME = "predictions.jsonl"
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
    command = [sys.executable, "-m", "nerzoo.runs.execution", str(run.folder)]
    environment = {**os.environ, **RunSpecification.read(run.folder).environment}
    with (run.folder / LOG_NAME).open("a", encoding="utf-8") as log:
        return subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment).returncode

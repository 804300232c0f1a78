"""A run of a bench: a system is trained, predicts the test part, and leaves a record."""

import json
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from nerzoo.files import read_run_file, write_json, write_text
from nerzoo.formats.corpus import data_facts
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.runs.runner import run_logged, run_side_by_side
from nerzoo.runs.systems.all_systems import all_systems
from nerzoo.runs.systems.bench_system import RunSpecification

RECORD_NAME = "record.json"
PREDICTIONS_NAME = "predictions.jsonl"
_STARTS_NAME = "starts"
_WARM_UP = 5


class BenchRun(NamedTuple):
    """A run of a system with a seed on a split of the data, in its folder."""

    folder: Path
    system: str
    seed: int
    split: int

    @classmethod
    def below(cls, parent: Path, system: str, seed: int, split: int) -> "BenchRun":
        return cls(parent / f"{system}-{seed}-{split}", system, seed, split)

    @property
    def name(self) -> str:
        """The path of its folder in that of the bench."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def product(self) -> Path:
        return self.folder / RECORD_NAME

    @property
    def record(self) -> Optional[Dict[str, Any]]:
        """The result of `execute`, if it is done."""
        return read_run_file(self.product, dict) if self.product.exists() else None

    @property
    def predictions(self) -> List[str]:
        return (self.folder / PREDICTIONS_NAME).read_text(encoding="utf-8").splitlines(keepends=True)


def do_runs(runs: Sequence[BenchRun], jobs: int) -> None:
    """Does missing runs, each in a process of its own."""

    def execute_in_process(run: BenchRun) -> None:
        arguments = ["-m", "nerzoo.runs.bench_run", str(run.folder)]
        run_logged(run.folder, arguments, RunSpecification.read(run.folder).environment)

    run_side_by_side(runs, execute_in_process, jobs)


def execute(folder: Path) -> Dict[str, Any]:
    """
    Does the run that `run.json` in a folder specifies, from where it was interrupted. Returns the content of
    `record.json`: the `seconds` on the clock and the `processor_seconds` of training, the number of `epochs` and the
    `best_epoch`; `epoch_seconds` and `process_seconds`, processor time of an epoch and of everything; `parameters`;
    `words_per_second`, words of the test part by seconds of processor time; `starts`; and the hash of the predictions.
    """
    specification = RunSpecification.read(folder)
    system = all_systems(Path(specification.configs))[specification.system]
    with (folder / _STARTS_NAME).open("a", encoding="utf-8") as starts:
        starts.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')}\n")
    clock, processor = time.perf_counter(), time.process_time()
    training = system.train(specification, folder)
    seconds, processor_seconds = time.perf_counter() - clock, time.process_time() - processor
    trained = system.load(folder)
    test = specification.path(folder, "test")
    items = trained.read(test)
    # The first prediction does work that is done once, whatever the size of the corpus.
    trained.predict(items[:_WARM_UP])
    processor = time.process_time()
    predicted = trained.predict(items)
    prediction_seconds = time.process_time() - processor
    sentences = [
        {"words": sentence.words} | ({} if document.id is None else {"doc_id": document.id})
        for document in JsonlCorpus().read(test)
        for sentence in document.sentences
    ]
    lines = [
        json.dumps({**sentence, "entities": entities}, ensure_ascii=False) + "\n"
        for sentence, entities in zip(sentences, predicted, strict=True)
    ]
    write_text(folder / PREDICTIONS_NAME, "".join(lines))
    record = {
        "seconds": seconds,
        "processor_seconds": processor_seconds,
        "epochs": training.epochs,
        "best_epoch": training.best_epoch,
        "epoch_seconds": training.epoch_seconds * processor_seconds / seconds,
        "parameters": trained.num_parameters,
        "words_per_second": sum(len(sentence["words"]) for sentence in sentences) / prediction_seconds,
        "starts": len((folder / _STARTS_NAME).read_text().splitlines()),
        "predictions_sha256": sha256(folder / PREDICTIONS_NAME),
        "process_seconds": time.process_time(),
    }
    write_json(folder / RECORD_NAME, record)
    return record


def sha256(path: Path) -> str:
    """Returns the SHA-256 of a file or a folder."""
    return data_facts(path, None).sha256


if __name__ == "__main__":
    execute(Path(sys.argv[1]))

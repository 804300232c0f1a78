"""What is done for a run: it is trained, predicts the test part, and leaves a record."""

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any, Dict

from nerzoo.files import write_json, write_text
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.runs.run import PREDICTIONS_NAME, RECORD_NAME, RunSpecification
from nerzoo.runs.systems.all_systems import all_systems

_STARTS_NAME = "starts"
_WARM_UP = 5


def execute(folder: Path) -> Dict[str, Any]:
    """
    Does a run, as `run.json` in its folder says. One that was interrupted goes on.

    # Returns

    `Dict[str, Any]`
        The content of `record.json`, the file that says that the run is done: the `seconds` on the clock and the
        `processor_seconds` that training took, how many `epochs` there were and which was the `best_epoch`;
        `epoch_seconds` and `process_seconds`, processor time of an epoch and of everything; `parameters`;
        `words_per_second`, words of the test part by seconds of processor time; `starts`; and the hash of the
        predictions.
    """
    specification = RunSpecification.read(folder)
    system = all_systems(Path(specification.configs))[specification.system]
    with (folder / _STARTS_NAME).open("a", encoding="utf-8") as starts:
        starts.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')}\n")
    clock, processor = time.perf_counter(), time.process_time()
    training = system.train(specification, folder)
    seconds, processor_seconds = time.perf_counter() - clock, time.process_time() - processor
    record: Dict[str, Any] = {
        "seconds": seconds,
        "processor_seconds": processor_seconds,
        "epochs": training.epochs,
        "best_epoch": training.best_epoch,
        "epoch_seconds": training.epoch_seconds * processor_seconds / seconds,
    }
    trained = system.load(specification, folder)
    test = specification.path(folder, "test")
    items = trained.read(test)
    # What is done once, at the first prediction, is not what a corpus takes.
    trained.predict(items[:_WARM_UP])
    processor = time.process_time()
    entities = trained.predict(items)
    seconds = time.process_time() - processor
    sentences = [
        {"words": sentence.words} | ({} if document.id is None else {"doc_id": document.id})
        for document in JsonlCorpus().read(test)
        for sentence in document.sentences
    ]
    lines = [
        json.dumps({**sentence, "entities": found}, ensure_ascii=False) + "\n"
        for sentence, found in zip(sentences, entities, strict=True)
    ]
    write_text(folder / PREDICTIONS_NAME, "".join(lines))
    record |= {
        "parameters": trained.num_parameters,
        "words_per_second": sum(len(sentence["words"]) for sentence in sentences) / seconds,
        "starts": len((folder / _STARTS_NAME).read_text().splitlines()),
        "predictions_sha256": sha256(folder / PREDICTIONS_NAME),
        "process_seconds": time.process_time(),
    }
    write_json(folder / RECORD_NAME, record)
    return record


def sha256(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    execute(Path(sys.argv[1]))

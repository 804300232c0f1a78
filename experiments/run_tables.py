"""
Trains and evaluates the models of a table: what is missing of it, so that the same command goes on where it was.

    DATA=FOLDER python -m experiments.run_tables [--jobs 2] TABLE[/ROW[-SEED]] ...

A table is that of `experiments.runs`. The first seed of all rows comes first, as a pilot of the others. A run is done
where docs/results/runs/TABLE/ROW-SEED.json has its record, see `experiments.records`: delete that to make it anew. What
it leaves besides is in output/tables/TABLE/ROW-SEED/:

    train/                     what `allennlp train` or `allennlp cross-validate` writes, in the end without weights
    EVALUATION.json, .jsonl    the metrics of `allennlp evaluate` and the output of `allennlp predict`
    log                        what the commands say

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
from pathlib import Path
from typing import Any, Dict, List

from experiments.records import make_record, summary_of
from experiments.runs import Run, runs_named
from nerzoo.files import write_json, written_whole
from nerzoo.text.tag_schemes import tags_to_entities


def execute(run: Run) -> None:
    """Does what is missing of a run, unless another process is at it."""
    run.folder.mkdir(parents=True, exist_ok=True)
    with open(run.folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{run}: another process is at it", flush=True)
            return
        if run.is_done:
            return
        try:
            _train(run)
            for name, evaluation in run.specification.get("evaluations", {}).items():
                _evaluate(run, name, evaluation)
            record = make_record(run, summary_of(run))
        except subprocess.CalledProcessError as error:
            print(f"{run}: FAILED, see {run.folder}/log ({error})", flush=True)
            return
        run.record_path.parent.mkdir(parents=True, exist_ok=True)
        write_json(run.record_path, record)
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
        is_theirs = _model_type(run) == "crf_tagger"
        # Its own predictor loads a pipeline of spaCy.
        predictor = ["--predictor", "ner"] if is_theirs else []
        _allennlp(run, "predict", archive, data, *predict, *predictor, *options)
        if is_theirs:
            _add_entities(predictions)


def _add_entities(path: Path) -> None:
    """Adds entities to the predictions of allennlp-models' `crf_tagger`, which have tags in BIOUL alone."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        prediction = json.loads(line)
        entities = [entity._asdict() for entity in tags_to_entities(prediction["tags"], "BIOUL")]
        lines.append(json.dumps({"words": prediction["words"], "entities": entities}) + "\n")
    with written_whole(path) as unfinished:
        unfinished.write_text("".join(lines), encoding="utf-8")


def _model_type(run: Run) -> str:
    return json.loads((run.folder / "train" / "config.json").read_text())["model"]["type"]


def _tuned(run: Run, name: str, evaluation: Dict[str, Any]) -> Path:
    """The archive of a run, or that with tuned thresholds."""
    archive = run.folder / "train" / "model.tar.gz"
    if "thresholds" not in evaluation or _model_type(run) != "fofe_ner":
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
    missing = [run for run in runs if not run.is_done]
    print(f"{len(missing)} of {len(runs)} runs are missing", flush=True)
    if arguments.list:
        print(*missing, sep="\n")
        return
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(execute, missing))


if __name__ == "__main__":
    main()

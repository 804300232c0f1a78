"""
Trains and evaluates the models of a table. The same command goes on where it was interrupted.

    DATA=FOLDER python -m experiments.run_tables [--jobs 2] TABLE[/ROW[-SEED]] ...

A table is that of `experiments.runs`. The first seed of all rows comes first, as a pilot of the others. A run is done
if docs/results/runs/TABLE/ROW-SEED.json has its record, see `experiments.records`: delete the record to train anew. A
record of another configuration, or of other evaluations, than today's is deleted, with the files of its run. These are
in output/tables/TABLE/ROW-SEED/:

    train/                     the output of `allennlp train` or `nerzoo cross-validate`, in the end without weights
    EVALUATION.json, .jsonl    the metrics of `allennlp evaluate` and the output of `allennlp predict`
    log                        the messages of the commands

An evaluation with `thresholds`, a file of development data below DATA, is of a `fofe_ner` with the thresholds that
`nerzoo tune-thresholds` finds there; other models have none.

A row with `program`, a module and its first arguments, has no network. In place of `nerzoo cross-validate` this
module is run, with the configuration, `-s` and `--folds`, and writes the same files; in place of a training and an
evaluation `test`, with `-s` and `--test`.
"""

import json
import shutil
from pathlib import Path
from typing import Any, Dict, List

from experiments.common import argument_parser, corpus
from experiments.records import make_record, summarize
from experiments.runs import TableRun, runs_named
from nerzoo.files import read_run_file, write_json, write_text
from nerzoo.runs.runner import LOG_NAME, run_logged, run_side_by_side
from nerzoo.text.annotation import tags_to_entities


def execute(run: TableRun) -> None:
    """Does a run, from where it was interrupted."""
    if run.program is not None:
        _run_program(run, run.program)
    else:
        _train(run)
        for name, evaluation in run.specification.get("evaluations", {}).items():
            _evaluate(run, name, evaluation)
    record = make_record(run, summarize(run))
    run.product.parent.mkdir(parents=True, exist_ok=True)
    write_json(run.product, record)
    for pattern in ("*.th", "model.tar.gz"):
        for weights in (run.folder / "train").rglob(pattern):
            weights.unlink()


def _run_program(run: TableRun, program: List[str]) -> None:
    if "folds" in run.specification:
        options = ["-s", str(run.folder / "train"), "--folds", str(run.specification["folds"])]
    else:
        options = ["-s", str(run.folder), "--test", corpus(run.evaluations["test"]["data"])]
    run_logged(run.folder, ["-m", *program, run.config, *options], run.environment)


def _train(run: TableRun) -> None:
    folder = run.folder / "train"
    options = ["-s", str(folder), "-o", json.dumps(run.overrides)]
    if "folds" in run.specification:
        _allennlp(run, "cross-validate", run.config, *options, "--folds", str(run.specification["folds"]), "--predict")
    elif not (folder / "model.tar.gz").exists():
        # A run that was killed before the first checkpoint has nothing to go on from.
        begun = any(folder.glob("training_state_*.th"))
        if not begun:
            shutil.rmtree(folder, ignore_errors=True)
        _allennlp(run, "train", run.config, *options, *(["--recover"] if begun else []))


def _evaluate(run: TableRun, name: str, evaluation: Dict[str, Any]) -> None:
    model_type = read_run_file(run.folder / "train" / "config.json", dict)["model"]["type"]
    archive = str(_tuned(run, name, evaluation) if model_type == "fofe_ner" else run.folder / "train" / "model.tar.gz")
    data = corpus(evaluation["data"])
    metrics, predictions = run.folder / f"{name}.json", run.folder / f"{name}.jsonl"
    options = ["-o", json.dumps(evaluation.get("overrides", {}))]
    _allennlp(run, "evaluate", archive, data, "--output-file", str(metrics), *options)
    if evaluation.get("predict", True):
        predict = ["--output-file", str(predictions), "--use-dataset-reader", "--silent", "--batch-size", "32"]
        # The predictor of crf_tagger loads a pipeline of spaCy.
        predictor = ["--predictor", "ner"] if model_type == "crf_tagger" else []
        _allennlp(run, "predict", archive, data, *predict, *predictor, *options)
        if model_type == "crf_tagger":
            _add_entities(predictions)


def _add_entities(path: Path) -> None:
    """Adds entities to the predictions of allennlp-models' `crf_tagger`, which have tags in BIOUL alone."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        prediction = json.loads(line)
        entities = [entity._asdict() for entity in tags_to_entities(prediction["tags"], "BIOUL")]
        lines.append(json.dumps({"words": prediction["words"], "entities": entities}) + "\n")
    write_text(path, "".join(lines))


def _tuned(run: TableRun, name: str, evaluation: Dict[str, Any]) -> Path:
    """The archive of a run, with tuned thresholds if the evaluation has some."""
    archive = run.folder / "train" / "model.tar.gz"
    if "thresholds" not in evaluation:
        return archive
    tuned = run.folder / "train" / name / "model.tar.gz"
    shutil.rmtree(tuned.parent, ignore_errors=True)
    tuned.parent.mkdir()
    data = corpus(evaluation["thresholds"])
    _allennlp(run, "tune-thresholds", str(archive), data, "--output-file", str(tuned))
    return tuned


def _allennlp(run: TableRun, *command: str) -> None:
    with open(run.folder / LOG_NAME, "a") as log:
        log.write(f"$ {' '.join(command)}\n")
    run_logged(run.folder, ["-m", "allennlp", *command, "--include-package", "nerzoo"], run.environment)


def delete_outdated(runs: List[TableRun]) -> None:
    """Deletes the records and files, if any, of runs that are not done: those of another configuration."""
    for run in runs:
        if run.product.exists():
            print(f"{run.name}: its record is of another configuration, so it is trained anew", flush=True)
            run.product.unlink()
            shutil.rmtree(run.folder, ignore_errors=True)


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("tables", nargs="+", metavar="TABLE[/ROW[-SEED]]")
    parser.add_argument("--jobs", type=int, default=1, help="how many runs side by side, each with one thread")
    parser.add_argument("--list", action="store_true", help="say what is missing, and train nothing")
    arguments = parser.parse_args()
    runs = [run for name in arguments.tables for run in runs_named(name)]
    left = [run for run in runs if not run.is_done]
    print(f"{len(left)} of {len(runs)} runs are missing", flush=True)
    if arguments.list:
        print(*(run.name for run in left), sep="\n")
    else:
        delete_outdated(left)
        run_side_by_side(left, execute, arguments.jobs)


if __name__ == "__main__":
    main()

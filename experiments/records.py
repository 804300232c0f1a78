"""
The record of a run, which is kept when its weights and predictions are gone: enough for the tables and for the
significance of differences, without a word of the data, so that docs/results/runs/TABLE/ROW-SEED.json can be published.

    fingerprint, commit                 of the training, and of the code that trained
    parameters, epochs, best_epoch, seconds     those of the first of several folds
    development                         metrics of the best epoch, or their means over folds
    curves                              the loss of training and the metric on the development part, a number an epoch;
                                        none for folds
    evaluations                         for each, its metrics and, where `metric` is a ratio of sums over sentences,
                                        the numerators and denominators, a number a sentence or, in a table with
                                        `by_document`, a document; where it is a perplexity, those of the mean
                                        logarithm of the probability of a word, in hundredths

A table with nested entities names under `gold` the row whose dataset reader reads them all. The `metric` of every row
is then over these; a tagger's own metric is over those that it can find, the outermost.
"""

import json
import subprocess
import tempfile
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

import numpy
from allennlp.models import load_archive

from experiments.common import corpus
from experiments.runs import FOLDS, RECORDS, TableRun
from nerzoo.evaluation.gold import METRICS, check_same_words, document_sums, read_gold, sentence_counts, with_gold
from nerzoo.files import read_run_file
from nerzoo.formats.jsonl import read_predictions
from nerzoo.formats.lines import json_objects, read_lines

VALIDATION = "best_validation_"
TRAINING_LOSS = "training_loss"
PERPLEXITY = "perplexity"
CRF_TAGGER_NAMES = {"precision-overall": "precision", "recall-overall": "recall", "f1-measure-overall": "f1"}
"""The names of metrics of allennlp-models' `crf_tagger`, and those of nerzoo's models."""


def make_record(run: TableRun, summary: Dict[str, Any]) -> Dict[str, Any]:
    """The record of a run whose files are all there, with the result of `summarize`, which needs its weights."""
    return {
        "fingerprint": run.fingerprint,
        "commit": _commit(),
        **summary,
        "seconds": _seconds(run),
        "development": _development(run),
        "curves": _curves(run),
        "evaluations": {name: _evaluation(run, name) for name in run.evaluations},
    }


def summarize(run: TableRun) -> Dict[str, Any]:
    """
    The number of trained parameters and of epochs, and the best epoch; for folds, those of the first. `None` each for a
    row without a network.
    """
    if run.program is not None:
        return dict.fromkeys(["parameters", "epochs", "best_epoch"])
    archives = (run.folder / "train").rglob("model.tar.gz")
    folder = next(path.parent for path in sorted(archives) if (path.parent / "metrics.json").exists())
    metrics = read_run_file(folder / "metrics.json", dict)
    # Registers crf_tagger. Programs that only read records need not import it.
    import_module("allennlp_models.tagging")
    model = load_archive(folder / "model.tar.gz").model
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad),
        "epochs": metrics["epoch"] + 1,
        "best_epoch": metrics["best_epoch"] + 1 if "best_epoch" in metrics else None,
    }


def read_counts(evaluation: Dict[str, Any]) -> Optional[numpy.ndarray]:
    """Numerator and denominator of each of the N sentences of an evaluation in a record, (N, 2); or `None`."""
    if "numerators" not in evaluation:
        return None
    columns = [numpy.array(evaluation[name].split(), dtype=int) for name in ("numerators", "denominators")]
    return numpy.stack(columns, axis=1)


def _commit() -> str:
    """Returns the commit, with "-dirty" where a file has changed since that is no record."""
    records = f":!{RECORDS}"
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", records)
    return _git("describe", "--always") + ("-dirty" if changed else "")


def _git(*arguments: str) -> str:
    root = Path(__file__).parents[1]
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def _development(run: TableRun) -> Dict[str, float]:
    if FOLDS in run.evaluations:
        return _means(_cross_validation(run).get("validation_metrics", {}))
    metrics = read_run_file(run.folder / "train" / "metrics.json", dict)
    return _numbers({name: metrics[name] for name in metrics if name.startswith(VALIDATION)}, VALIDATION)


def _seconds(run: TableRun) -> float:
    """The time of the epochs in all processes of a training, each with its own clock; for folds, that of the first."""
    times = []
    for metrics in _epochs(run.folder / "train" / ("fold-0" if FOLDS in run.evaluations else "")):
        hours, minutes, seconds = metrics["training_duration"].split(":")
        times.append(3600 * int(hours) + 60 * int(minutes) + float(seconds))
    return sum(time for time, later in pairwise([*times, 0.0]) if later < time)


def _curves(run: TableRun) -> Dict[str, List[float]]:
    epochs = [_numbers(metrics, "validation_") for metrics in _epochs(run.folder / "train")]
    names = [name for name in (TRAINING_LOSS, run.specification["metric"]) if epochs and name in epochs[0]]
    return {name: [epoch[name] for epoch in epochs] for name in names}


def _epochs(folder: Path) -> List[Dict[str, Any]]:
    paths = sorted(folder.glob("metrics_epoch_*.json"), key=lambda path: int(path.stem.split("_")[-1]))
    return [read_run_file(path, dict) for path in paths]


def _evaluation(run: TableRun, name: str) -> Dict[str, Any]:
    if name == FOLDS:
        metrics, predictions = _means(_cross_validation(run)["metrics"]), run.folder / "train" / "predictions.jsonl"
    else:
        metrics = _numbers(read_run_file(run.folder / f"{name}.json", dict))
        predictions = run.folder / f"{name}.jsonl"
    result: Dict[str, Any] = {"metrics": metrics}
    metric = run.specification["metric"]
    if predictions.exists() and metric in (*METRICS, PERPLEXITY):
        counts = _counts(run, name, str(predictions), metric)
        if "gold" in run.specification:
            metrics[metric] = float(counts[:, 0].sum() / max(counts[:, 1].sum(), 1))
        for title, column in zip(("numerators", "denominators"), counts.T, strict=True):
            result[title] = " ".join(map(str, column))
    return result


def _counts(run: TableRun, name: str, path: str, metric: str) -> numpy.ndarray:
    if metric == PERPLEXITY:
        rows = [prediction["log_probabilities"] for _, prediction in json_objects(read_lines(path))]
        return numpy.array([(round(100 * sum(row)), 100 * len(row)) for row in rows])
    predicted = list(read_predictions(path, METRICS[metric]))
    # The gold tags of a tagger are the outermost entities alone; models of spans have no gold tags.
    if "gold" in run.specification or not all(sentence.has_gold for sentence in predicted):
        reader = TableRun(run.table, run.specification.get("gold", run.row), run.seed, run.specification)
        config = reader.rendered_config(run.evaluations[name].get("overrides"))
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(config, file)
            file.flush()
            annotated = read_gold(_data(run, name, config), file.name, METRICS[metric])
        check_same_words(predicted, path, annotated, run.config)
        predicted = with_gold(predicted, annotated)
    counts = sentence_counts(metric, predicted)
    return document_sums(counts, predicted) if run.specification.get("by_document") else counts


def _data(run: TableRun, name: str, config: Dict[str, Any]) -> str:
    if name == FOLDS:
        paths = config["train_data_path"]
        return paths if isinstance(paths, str) else paths[0]
    return corpus(run.evaluations[name]["data"])


def _cross_validation(run: TableRun) -> Dict[str, Any]:
    return read_run_file(run.folder / "train" / "cross_validation.json", dict)


def _means(folds: Mapping[str, Mapping[str, Any]]) -> Dict[str, float]:
    return _numbers({name: values.get("mean") for name, values in folds.items()})


def _numbers(metrics: Mapping[str, Any], prefix: str = "") -> Dict[str, float]:
    """The metrics that are numbers, by names without the prefix."""
    numbers = {name.removeprefix(prefix): value for name, value in metrics.items() if isinstance(value, (int, float))}
    return {CRF_TAGGER_NAMES.get(name, name): value for name, value in numbers.items()}

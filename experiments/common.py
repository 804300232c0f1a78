"""Corpora, arguments, trainings, predictions, scores and tables of the programs in `experiments` and `benchmarks`."""

import argparse
import json
import os
import statistics
from pathlib import Path
from typing import Any, Dict, Iterable, List, Sequence

from allennlp.common.checks import ConfigurationError

from nerzoo.runs.runner import TrainingRun, train
from nerzoo.text.annotation import Entity, tags_to_entities
from nerzoo.text.matching import MatchCounter, MatchCounts, precision_recall_f


def corpus(path: str) -> str:
    """Returns the path of a corpus, below the folder in the environment variable DATA; without it the program ends."""
    if "DATA" not in os.environ:
        raise SystemExit("the environment variable DATA is not set; expected the folder of the corpora")
    return os.path.join(os.environ["DATA"], path)


def argument_parser(description: str) -> argparse.ArgumentParser:
    """Returns a parser that shows the docstring of a program as it is."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def read(path: Path, needed: Sequence[str]) -> List[Dict[str, Any]]:
    """Reads predictions. Raises `ConfigurationError` where one lacks a key that is needed."""
    predictions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, prediction in enumerate(predictions, 1):
        missing = [name for name in needed if name not in prediction]
        if missing:
            expected = f"all of {', '.join(needed)}, as predict --use-dataset-reader writes them"
            raise ConfigurationError(f"{path}, line {number}: found no {', '.join(missing)}, expected {expected}")
    return predictions


def read_argument(description: str, needed: Sequence[str]) -> List[Dict[str, Any]]:
    """Reads the predictions in the file that is the only argument of a program."""
    parser = argument_parser(description)
    parser.add_argument("predictions", type=Path)
    return read(parser.parse_args().predictions, needed)


def gold_entities(sentence: Dict[str, Any]) -> List[Entity]:
    """Returns the gold entities of a prediction."""
    # As BIO, any scheme gives the same entities; conlleval is not told the scheme either.
    return tags_to_entities(sentence["gold_tags"], "BIO")


def predicted_entities(sentence: Dict[str, Any]) -> List[Entity]:
    """Returns the entities of a prediction; taggers of words have none."""
    return [Entity(entity["start"], entity["end"], entity["label"]) for entity in sentence.get("entities", [])]


def with_total(counter: MatchCounter, names: Sequence[str]) -> Dict[str, MatchCounts]:
    """Returns the counts of groups in the order of their names, and `all` of them together."""
    return {**{name: counter.counts[name] for name in names}, "all": counter.total()}


def report(what: str, runs: Sequence[Dict[str, MatchCounts]], beta: float = 1) -> None:
    """Prints mean and standard deviation over runs of precision, recall and F, for each kind of counts."""
    scores = [{name: precision_recall_f(**vars(counts), beta=beta) for name, counts in run.items()} for run in runs]
    measures = precision_recall_f(0, 0, 0, beta=beta)
    print(f"{what:<10} {'gold':>6} {' '.join(f'{measure:>17}' for measure in measures)}")
    for name in runs[0]:
        columns = [f"{statistics.mean(run[name].num_gold for run in runs):6.0f}"]
        for measure in measures:
            values = [run[name][measure] for run in scores]
            deviation = f" +- {statistics.stdev(values):.4f}" if len(values) > 1 else ""
            columns.append(f"{statistics.mean(values):.4f}{deviation}".rjust(17))
        print(f"{name:<10} {' '.join(columns)}")


def train_for_metrics(run: TrainingRun) -> None:
    """Trains the model of a run, of which the metrics stay, but not the weights."""
    train(run.config, run.folder)
    for weights in (*run.folder.glob("*.th"), run.folder / "model.tar.gz"):
        weights.unlink(missing_ok=True)


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))

"""What the runs of a bench, and other systems, have predicted."""

import json
from typing import Dict, Iterator, List, Mapping, Sequence, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.gold import check_same_words, read_gold
from nerzoo.files import write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.formats.predictions import Prediction, read_corpus, read_predictions
from nerzoo.reports.systems import System, read_systems
from nerzoo.runs.bench import DATA_NAME, Bench
from nerzoo.runs.prepared_data import GOLD_NAME, in_order
from nerzoo.runs.run import Run

PREDICTIONS_NAME = "predictions"


def results(bench: Bench, others: Mapping[str, Sequence[str]], corpus: Corpus) -> List[System]:
    """
    Writes the predictions of each system with each seed for all test data into the folder `predictions`, and reads
    them.

    # Parameters

    bench : `Bench`
    others : `Mapping[str, Sequence[str]]`
        Of each other system, the files of predictions of its runs: JSON lines, where their names end in `.jsonl`, or in
        the format of the data.
    corpus : `Corpus`
        That format.

    # Raises

    `ConfigurationError` where other systems have the names of those that are trained, or predict other sentences than
    those of the test data; and where there is nothing at all.
    """
    folder = bench.folder / PREDICTIONS_NAME
    folder.mkdir(exist_ok=True)
    gold_path = bench.folder / DATA_NAME / GOLD_NAME
    gold = read_gold(str(gold_path), JsonlCorpus())
    files: Dict[str, List[str]] = {}
    for name, seed, runs in done_runs(bench):
        lines = [line for run in runs for line in run.predictions]
        target = folder / f"{name}-{seed}.jsonl"
        write_text(target, "".join(in_order(bench.folder / DATA_NAME, lines)))
        files.setdefault(name, []).append(str(target))
    for name, paths in others.items():
        if name in files or name in bench.facts["systems"]:
            raise ConfigurationError(f"found --predictions of {name}, which is trained here, expected another name")
        for number, path in enumerate(paths, start=1):
            sentences = _read(path, corpus)
            check_same_words(sentences, path, gold, "the test data")
            target = folder / f"{name}-{number}.jsonl"
            write_text(target, "".join(map(_line, sentences)))
            files.setdefault(name, []).append(str(target))
    if not files:
        raise ConfigurationError(f"{bench.folder}: found no run that is done, expected one at least; see the logs")
    return read_systems(list(files.values()), list(files), gold, str(gold_path))


def done_runs(bench: Bench) -> Iterator[Tuple[str, int, List[Run]]]:
    """Yields each system and seed whose runs on all splits are done, with these."""
    of_seeds: Dict[Tuple[str, int], List[Run]] = {}
    for run in bench.runs:
        of_seeds.setdefault((run.system, run.seed), []).append(run)
    # Systems in their order, and seeds in theirs.
    order = bench.facts["systems"]
    for (name, seed), runs in sorted(of_seeds.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        if all(run.record is not None for run in runs):
            yield name, seed, runs


def _read(path: str, corpus: Corpus) -> List[Prediction]:
    return list(read_predictions(path, "entities") if path.endswith(".jsonl") else read_corpus(path, corpus))


def _line(sentence: Prediction) -> str:
    return json.dumps({"words": sentence.words, "entities": sentence.predicted_json()}, ensure_ascii=False) + "\n"

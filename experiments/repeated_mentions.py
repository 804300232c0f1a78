"""
The scores of first and of repeated mentions of entities, each by themselves, from what `allennlp predict` writes with
--use-dataset-reader: a sentence a line, in the order of the document, with `doc_id`, `words`, `gold_tags`, `entities`.

A mention is repeated if its words, whatever their case, stand together somewhere before it in its document, in a name
or not. That is asked of gold and of predicted mentions alike, and of the text alone, so that a correct one counts on
the same side in both.

    python -m experiments.repeated_mentions PREDICTIONS.jsonl ...

Several files are several runs over the same text; what is printed is mean and standard deviation over them.
"""

import argparse
import json
import statistics
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterable, List, Sequence, Set, TypeVar

from allennlp.common.checks import ConfigurationError

from nerzoo.text.annotation import Entity
from nerzoo.text.tag_schemes import tags_to_entities

_Mention = TypeVar("_Mention")
_NEEDED = ("doc_id", "words", "gold_tags", "entities")


@dataclass
class Counts:
    """How many mentions are predicted, how many are gold, and how many are both."""

    correct: int = 0
    predicted: int = 0
    gold: int = 0

    def add(self, predicted: Set[_Mention], gold: Set[_Mention]) -> None:
        self.correct += len(predicted & gold)
        self.predicted += len(predicted)
        self.gold += len(gold)

    @property
    def precision(self) -> float:
        return self.correct / max(self.predicted, 1)

    @property
    def recall(self) -> float:
        return self.correct / max(self.gold, 1)

    @property
    def f05(self) -> float:
        return 1.25 * self.correct / max(self.predicted + 0.25 * self.gold, 1)

    @property
    def f1(self) -> float:
        return 2 * self.correct / max(self.predicted + self.gold, 1)


def count_mentions(predictions: Iterable[Dict[str, Any]]) -> Dict[str, Counts]:
    """The counts of `first`, `repeated` and `all` mentions in the predictions for the sentences of documents."""
    counts = {name: Counts() for name in ("first", "repeated", "all")}
    for _, document in groupby(predictions, key=lambda sentence: sentence["doc_id"]):
        earlier: List[str] = []
        for sentence in document:
            words = [word.lower() for word in sentence["words"]]
            predicted = {Entity(entity["start"], entity["end"], entity["label"]) for entity in sentence["entities"]}
            # The same entities whatever the scheme, which conlleval is not told either.
            gold = set(tags_to_entities(sentence["gold_tags"], "BIO"))
            repeated = {entity for entity in predicted | gold if _is_repeated(entity, words, earlier)}
            counts["repeated"].add(predicted & repeated, gold & repeated)
            counts["first"].add(predicted - repeated, gold - repeated)
            counts["all"].add(predicted, gold)
            earlier.append(_padded(words))
    return counts


def _is_repeated(entity: Entity, words: List[str], earlier: List[str]) -> bool:
    mention = _padded(words[entity.start : entity.end])
    return any(mention in sentence for sentence in [_padded(words[: entity.start]), *earlier])


def _padded(words: List[str]) -> str:
    """The words, which hold no spaces, with one on either side of each."""
    return f" {' '.join(words)} "


def read(path: Path, needed: Sequence[str] = _NEEDED) -> List[Dict[str, Any]]:
    """Raises `ConfigurationError` where a sentence lacks what is needed."""
    predictions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, prediction in enumerate(predictions, 1):
        missing = [name for name in needed if name not in prediction]
        if missing:
            expected = f"all of {', '.join(needed)}, as predict --use-dataset-reader writes them"
            raise ConfigurationError(f"{path}, line {number}: found no {', '.join(missing)}, expected {expected}")
    return predictions


def report(what: str, runs: List[Dict[str, Counts]], *measures: str) -> None:
    """Prints, of each kind of `what` is counted, mean and standard deviation of the measures over the runs."""
    print(f"{what:<10} {'gold':>6} {' '.join(f'{measure:>17}' for measure in measures)}")
    for name in runs[0]:
        columns = [f"{statistics.mean(run[name].gold for run in runs):6.0f}"]
        for measure in measures:
            values = [getattr(run[name], measure) for run in runs]
            deviation = f" +- {statistics.stdev(values):.4f}" if len(values) > 1 else ""
            columns.append(f"{statistics.mean(values):.4f}{deviation}".rjust(17))
        print(f"{name:<10} {' '.join(columns)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions", type=Path, nargs="+")
    runs = [count_mentions(read(path)) for path in parser.parse_args().predictions]
    report("mentions", runs, "precision", "recall", "f1")


if __name__ == "__main__":
    main()

"""
The scores of first and of repeated mentions of entities, from the output of `allennlp predict` with
--use-dataset-reader: a sentence a line, in the order of the document, with `doc_id`, `words`, `gold_tags`, `entities`.

A mention is repeated if its words, in upper or lower case, stand together somewhere before it in its document, in a
name or not. Only the text decides, for gold and for predicted mentions, so that a correct mention counts on the same
side in both.

    python -m experiments.repeated_mentions PREDICTIONS.jsonl ...

Several files are several runs over the same text; the program prints mean and standard deviation over them.
"""

from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterable, List

from experiments.common import argument_parser, gold_entities, predicted_entities, read, report, with_total
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import MatchCounter, MatchCounts

NEEDED = ("doc_id", "words", "gold_tags", "entities")


def count_mentions(predictions: Iterable[Dict[str, Any]]) -> Dict[str, MatchCounts]:
    """The counts of `first`, `repeated` and `all` mentions in the predictions for the sentences of documents."""
    counter = MatchCounter()
    for _, document in groupby(predictions, key=lambda sentence: sentence["doc_id"]):
        earlier: List[str] = []
        for sentence in document:
            words = [word.lower() for word in sentence["words"]]
            predicted = set(predicted_entities(sentence))
            counter.add(predicted, gold_entities(sentence), partial(_kind, words=words, earlier=earlier))
            earlier.append(_padded(words))
    return with_total(counter, ("first", "repeated"))


def _kind(entity: Entity, _: int, words: List[str], earlier: List[str]) -> str:
    mention = _padded(words[entity.start : entity.end])
    is_repeated = any(mention in sentence for sentence in [_padded(words[: entity.start]), *earlier])
    return "repeated" if is_repeated else "first"


def _padded(words: List[str]) -> str:
    """The words, which hold no spaces, with a space on either side of each."""
    return f" {' '.join(words)} "


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("predictions", type=Path, nargs="+")
    runs = [count_mentions(read(path, NEEDED)) for path in parser.parse_args().predictions]
    report("mentions", runs)


if __name__ == "__main__":
    main()

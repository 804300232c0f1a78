"""
The weights of words of mentions on the memory of their document: of all mentions where Table 3 of the memory paper (Liu
et al., 2017) has two, from the output of `allennlp predict` with --use-dataset-reader and
-o '{"model.extra_outputs": ["attention"], "model.num_attended": 50}':

    python -m experiments.memory_weights PREDICTIONS.jsonl

Mentions are gold ones. The weight of a word is on itself; on the same word before it, in upper or lower case; on other
words of mentions of its type; on words of mentions of other types; on other words; on the null memory; and on slots
that predictions do not show. Repeated words occur in the document before. Chance is the same weight for all words up to
this one.
"""

from collections import defaultdict
from itertools import groupby
from typing import Any, DefaultDict, Dict, Iterable, List, Optional

from experiments.attended_words import entity_words
from experiments.common import markdown, read_argument

GROUPS = ("itself", "same word", "same type", "other types", "no mention", "null memory", "not shown")
NEEDED = ("doc_id", "words", "gold_tags", "attention")
Sums = DefaultDict[str, DefaultDict[str, float]]


def measure(predictions: Iterable[Dict[str, Any]]) -> Sums:
    """The sums of weights by group, and their `number`: of `first` and `repeated` words, and the same by chance."""
    sums: Sums = defaultdict(lambda: defaultdict(float))
    for _, document in groupby(predictions, key=lambda sentence: sentence["doc_id"]):
        words: List[str] = []
        types: List[Optional[str]] = []
        mentions = []
        for sentence in document:
            labels = dict(entity_words(sentence))
            mentions += [(len(words) + place, sentence["attention"][place]) for place in labels]
            words += [word.lower() for word in sentence["words"]]
            types += [labels.get(place) for place in range(len(sentence["words"]))]
        for position, slots in mentions:
            kind = "repeated" if words[position] in words[:position] else "first"
            shown, chance = sums[kind], sums[f"{kind}, by chance"]
            shown["number"] += 1
            shown["not shown"] += 1 - sum(slot["weight"] for slot in slots)
            for slot in slots:
                shown[group(position, slot["position"], words, types)] += slot["weight"]
            chance["number"] += 1
            for other in range(position + 1):
                chance[group(position, other, words, types)] += 1 / (position + 1)
    return sums


def group(position: int, other: Optional[int], words: List[str], types: List[Optional[str]]) -> str:
    """The group of a slot that a word attends to."""
    if other is None:
        return "null memory"
    if other == position:
        return "itself"
    if words[other] == words[position]:
        return "same word"
    if types[other] is None:
        return "no mention"
    return "same type" if types[other] == types[position] else "other types"


def table(sums: Sums) -> str:
    """A table of mean weights."""
    rows = []
    for kind in ("first", "first, by chance", "repeated", "repeated, by chance"):
        number = sums[kind]["number"]
        rows.append([kind, f"{number:.0f}", *(f"{sums[kind][name] / max(number, 1):.3f}" for name in GROUPS)])
    return markdown(["words of mentions", "number", *GROUPS], rows)


def main() -> None:
    print(table(measure(read_argument(__doc__, NEEDED))))


if __name__ == "__main__":
    main()

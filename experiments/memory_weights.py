"""
What words of mentions attend to in the memory of their document, of all mentions where Table 3 of the memory paper (Liu
et al., 2017) has two, from what `allennlp predict` writes with --use-dataset-reader and
-o '{"model.extra_outputs": ["attention"], "model.num_attended": 50}':

    python -m experiments.memory_weights PREDICTIONS.jsonl

Mentions are gold ones. The weight of a word is on itself; on the same word elsewhere before it, whatever its case; on
other words of mentions of its type; on words of mentions of other types; on other words; on the null memory; and on
what predictions do not show. Repeated words occur in the document before. Chance is the same weight for all words up to
this one.
"""

import argparse
from collections import defaultdict
from itertools import groupby
from pathlib import Path
from typing import Any, DefaultDict, Dict, Iterable, List, Optional

from experiments.attended_words import entity_words
from experiments.repeated_mentions import read

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
            of_sentence = dict(entity_words(sentence))
            mentions += [(len(words) + place, sentence["attention"][place]) for place in of_sentence]
            words += [word.lower() for word in sentence["words"]]
            types += [of_sentence.get(place) for place in range(len(sentence["words"]))]
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
    """A Markdown table of mean weights."""
    lines = [f"| words of mentions | number | {' | '.join(GROUPS)} |", f"|---|---|{'---|' * len(GROUPS)}"]
    for kind in ("first", "first, by chance", "repeated", "repeated, by chance"):
        number = sums[kind]["number"]
        means = [f"{sums[kind][name] / max(number, 1):.3f}" for name in GROUPS]
        lines.append(f"| {kind} | {number:.0f} | {' | '.join(means)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions", type=Path)
    print(table(measure(read(parser.parse_args().predictions, NEEDED))))


if __name__ == "__main__":
    main()

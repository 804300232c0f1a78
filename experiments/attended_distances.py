"""
The distance of words of entities from those that they attend to, in the sentence and in its tree, as in Figure 6 of the
dependency-aware paper (Aguilar and Solorio, 2019), from the predictions that `experiments.attended_words` reads:

    python -m experiments.attended_distances PREDICTIONS.jsonl

A distance is a number of steps: to the next word, or along an arc of the tree. Chance is the same weight for all other
words of the sentence. Pairs of words without a path, in trees with several roots, are left out and counted.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional

from experiments.attended_words import NEEDED, entity_words
from experiments.common import markdown, read_argument

LAST = 8
"""The last row of the table has this distance and all longer ones."""


@dataclass
class Distances:
    """Sums over the words of entities, of one kind of distance."""

    num_words: int = 0
    num_without_path: int = 0
    most_attended: float = 0.0
    most_attended_chance: float = 0.0
    weights: Dict[int, float] = field(default_factory=lambda: defaultdict(float))
    chance: Dict[int, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, distances: List[Optional[int]], weights: List[float], position: int) -> None:
        """Adds a word: its distance from each word of the sentence, itself included, and its weight on that word."""
        others = [other for other in range(len(weights)) if other != position]
        best = max(others, key=weights.__getitem__)
        reached = {other: distance for other in others if (distance := distances[other]) is not None}
        self.num_without_path += len(others) - len(reached)
        if best not in reached:
            return
        self.num_words += 1
        self.most_attended += reached[best]
        self.most_attended_chance += sum(reached.values()) / len(reached)
        for other, distance in reached.items():
            self.weights[min(distance, LAST)] += weights[other]
            self.chance[min(distance, LAST)] += 1 / len(others)


def steps_in_tree(heads: List[int], position: int) -> List[Optional[int]]:
    """The number of arcs from a word to each word, `None` where they have no root in common; heads as in `Sentence`."""
    neighbours: List[List[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head:
            neighbours[word].append(head - 1)
            neighbours[head - 1].append(word)
    steps: List[Optional[int]] = [None] * len(heads)
    frontier, distance = [position], 0
    while frontier:
        for word in frontier:
            steps[word] = distance
        frontier = [other for word in frontier for other in neighbours[word] if steps[other] is None]
        distance += 1
    return steps


def measure(predictions: Iterable[Dict[str, Any]]) -> Dict[str, Distances]:
    """Distances in the `sequence` and in the `tree`."""
    kinds = {"sequence": Distances(), "tree": Distances()}
    for sentence in predictions:
        length = len(sentence["words"])
        for position, _ in entity_words(sentence) if length > 1 else ():
            weights = sentence["relative_attention"][position]
            kinds["sequence"].add([abs(other - position) for other in range(length)], weights, position)
            kinds["tree"].add(steps_in_tree(sentence["heads"], position), weights, position)
    return kinds


def report(kinds: Dict[str, Distances]) -> str:
    """Two tables: the mean distance of the most attended word, and the weight by distance."""
    nearest, by_distance = [], []
    for name, kind in kinds.items():
        mean, chance = kind.most_attended / kind.num_words, kind.most_attended_chance / kind.num_words
        nearest.append([name, str(kind.num_words), f"{mean:.2f}", f"{chance:.2f}", f"{mean / chance:.2f}"])
    for distance in range(1, LAST + 1):
        cells = [f"{distance}{' and more' if distance == LAST else ''}"]
        for kind in kinds.values():
            cells += [f"{counter[distance] / kind.num_words:.3f}" for counter in (kind.weights, kind.chance)]
        by_distance.append(cells)
    first = markdown(["", "words", "steps to the most attended word", "by chance", "ratio"], nearest)
    header = ["steps", "weight in the sequence", "by chance", "weight in the tree", "by chance"]
    return f"{first}\n\n{markdown(header, by_distance)}\n\n{kinds['tree'].num_without_path} pairs without a path"


def main() -> None:
    print(report(measure(read_argument(__doc__, NEEDED))))


if __name__ == "__main__":
    main()

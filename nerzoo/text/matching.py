"""Exact matches of entities, which have the same start, end and label; precision, recall and F, and their text."""

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable, Collection, DefaultDict, Dict, Hashable, Iterable, List, Optional, Set, Tuple, TypeVar

from nerzoo.text.annotation import Entity

Item = TypeVar("Item", bound=Hashable)

_SHARES = re.compile(r"precision|recall|f0\.5|f1|accuracy|\bcer\b|_rate")

DEPTHS = ("0", "1", "2", "3+")
"""The depths of nesting that are told apart: the number of spans around an entity."""


def precision_recall_f(
    num_correct: float,
    num_predicted: float,
    num_gold: float,
    num_found: Optional[float] = None,
    *,
    beta: float = 1,
    prefix: str = "",
    suffix: str = "",
) -> Dict[str, float]:
    """
    Computes precision P, recall R and their weighted harmonic mean F = (1 + beta^2) P R / (beta^2 P + R), where recall
    counts `beta` times as much as precision. Returns "precision", "recall" and "f1" or, with another `beta`, "f0.5" and
    so on, with `prefix` and `suffix`. 0 / 0 is 0.

    `num_correct` of the predicted items are correct; a partial match may count as a half. `num_found` of the gold items
    are predicted, by default as many. The two differ in a group of items if the group of a predicted item is not the
    group of its gold item.
    """
    precision = num_correct / max(num_predicted, 1)
    recall = (num_correct if num_found is None else num_found) / max(num_gold, 1)
    denominator = beta**2 * precision + recall
    f = (1 + beta**2) * precision * recall / denominator if denominator else 0.0
    scores = {"precision": precision, "recall": recall, f"f{beta:g}": f}
    return {f"{prefix}{name}{suffix}": score for name, score in scores.items()}


def is_share(name: str) -> bool:
    """Returns whether the score with a name is a share, such as F1, which is printed in per cent."""
    return _SHARES.search(name) is not None


def written_score(name: str, value: float) -> str:
    """Returns a score with a name as it is printed: shares in per cent with one digit, such as F1 83.4."""
    if is_share(name):
        return f"{100 * value:.1f}"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def exact_matches(predicted: Iterable[Item], gold: Iterable[Item]) -> Set[Item]:
    """Returns the items of a sentence that are both predicted and gold."""
    return set(gold).intersection(predicted)


@dataclass
class MatchCounts:
    """Numbers of predicted and gold entities, and of exact matches among each of them."""

    num_correct: int = 0
    num_predicted: int = 0
    num_gold: int = 0
    num_found: int = 0

    def scores(self, prefix: str = "", suffix: str = "") -> Dict[str, float]:
        """Returns precision, recall and F1, see `precision_recall_f`."""
        return precision_recall_f(**vars(self), prefix=prefix, suffix=suffix)


class MatchCounter:
    """Counts exact matches by groups of entities, by default by label: `counts` has the `MatchCounts` of each group."""

    def __init__(self) -> None:
        self.counts: DefaultDict[Any, MatchCounts] = defaultdict(MatchCounts)

    def add(
        self,
        predicted: Collection[Entity],
        gold: Collection[Entity],
        group: Callable[[Entity, int], Hashable] = lambda entity, _: entity.label,
    ) -> None:
        """Counts the entities of a sentence. `group` takes an entity and its depth, among predicted or gold ones."""
        matches = exact_matches(predicted, gold)
        depths = span_depths(predicted)
        for entity in predicted:
            counts = self.counts[group(entity, depths[entity[:2]])]
            counts.num_predicted += 1
            counts.num_correct += entity in matches
        depths = span_depths(gold)
        for entity in gold:
            counts = self.counts[group(entity, depths[entity[:2]])]
            counts.num_gold += 1
            counts.num_found += entity in matches

    def total(self) -> MatchCounts:
        """Returns the sums over all groups."""
        columns = zip(*(vars(counts).values() for counts in self.counts.values()), strict=True)
        return MatchCounts(*map(sum, columns))


def span_depths(entities: Iterable[Entity]) -> Dict[Tuple[int, int], int]:
    """Returns the depth of each distinct span of entities: the number of others that contain it."""
    depths: Dict[Tuple[int, int], int] = {}
    # Negated ends of earlier spans, in order, without those that end before the current one starts.
    ends: List[int] = []
    for start, negated_end in sorted({(start, -end) for start, end, _ in entities}):
        while ends and -ends[-1] <= start:
            ends.pop()
        depth = depths[start, -negated_end] = bisect_right(ends, negated_end)
        ends.insert(depth, negated_end)
    return depths


def depth_group(depth: int) -> int:
    """Returns the place of a depth in `DEPTHS`."""
    return min(depth, len(DEPTHS) - 1)

"""
Decoding of FOFE-NER (Xu's thesis, section 5.3): from candidates of a sentence to entities that do not overlap, and from
these to nested entities. `nerzoo.modules.span_decoders` explains the algorithms.
"""

from bisect import bisect, bisect_left
from itertools import groupby
from typing import Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple


class ScoredEntity(NamedTuple):
    """An `Entity`, `words[start:end]` with `end` exclusive, with the probability that a model gives it."""

    start: int
    end: int
    label: str
    score: float


def highest_first(candidates: List[ScoredEntity]) -> List[ScoredEntity]:
    """Chooses, among candidates in order of start, then end, those that `HighestFirst` does."""
    highest: Dict[int, ScoredEntity] = {}
    for candidate in sorted(candidates, key=lambda candidate: candidate.score, reverse=True):
        for word in range(candidate.start, candidate.end):
            highest.setdefault(word, candidate)
    return [
        candidate
        for candidate in candidates
        if all(highest[word] is candidate for word in range(candidate.start, candidate.end))
    ]


def longest_first(candidates: List[ScoredEntity]) -> List[ScoredEntity]:
    """Chooses, among candidates in order of start, then end, those that `LongestFirst` does."""
    # best(i) changes at ends of spans only. For each end so far: best, the span taken there, if any, and the
    # position in these lists of the best set before it.
    ends, best = [0], [0]
    taken: List[List[ScoredEntity]] = [[]]
    before = [0]
    by_end = sorted(candidates, key=lambda candidate: (candidate.end, candidate.start))
    for end, group in groupby(by_end, key=lambda candidate: candidate.end):
        covered, _, span = max(
            (best[bisect(ends, span.start) - 1] + end - span.start, -span.start, span) for span in group
        )
        is_taken = covered >= best[-1]
        before.append(bisect(ends, span.start) - 1 if is_taken else len(ends) - 1)
        taken.append([span] if is_taken else [])
        best.append(max(covered, best[-1]))
        ends.append(end)
    kept: List[ScoredEntity] = []
    position = len(ends) - 1
    while position:
        kept.extend(taken[position])
        position = before[position]
    return kept[::-1]


ALGORITHMS: Dict[str, Callable[[List[ScoredEntity]], List[ScoredEntity]]] = {
    "highest_first": highest_first,
    "longest_first": longest_first,
}
"""The choices among candidates, by the names of their decoders."""


class SpanLevel:
    """
    One level of decoding. `choose` takes candidates in order and returns some that do not overlap; candidates are
    considered that score above the `threshold`; with `merge_adjacent`, adjacent survivors of the same type become one
    entity, with the lowest of their scores.
    """

    def __init__(
        self, choose: Callable[[List[ScoredEntity]], List[ScoredEntity]], threshold: float, merge_adjacent: bool
    ) -> None:
        self._choose = choose
        self.threshold = threshold
        self.merge_adjacent = merge_adjacent

    def decode(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """Returns entities in order, given candidates in order of start, then end, all with different spans."""
        return self.merged(self.survivors(candidates))

    def survivors(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """Returns the chosen candidates, in order: they score above the threshold and do not overlap."""
        return self._choose([candidate for candidate in candidates if candidate.score > self.threshold])

    def merged(self, survivors: List[ScoredEntity]) -> List[ScoredEntity]:
        """Returns the survivors, in order, merged if `merge_adjacent`."""
        entities: List[ScoredEntity] = []
        for entity in survivors:
            previous = entities[-1] if entities else None
            if self.merge_adjacent and previous and (previous.end, previous.label) == (entity.start, entity.label):
                entities[-1] = previous._replace(end=entity.end, score=min(previous.score, entity.score))
            else:
                entities.append(entity)
        return entities


def decode_levels(candidates: List[ScoredEntity], levels: Sequence[SpanLevel]) -> List[ScoredEntity]:
    """Returns entities, nested but not crossing, in order of start, outer before inner, with different spans."""
    return sorted(_decode(candidates, levels), key=lambda entity: (entity.start, -entity.end))


def _decode(candidates: List[ScoredEntity], levels: Sequence[SpanLevel]) -> List[ScoredEntity]:
    level, *deeper = levels
    survivors = level.survivors(candidates)
    entities = level.merged(survivors)
    if not deeper:
        return entities
    inner = [
        found
        for entity, within in inner_candidates(candidates, survivors, entities)
        for found in _decode(within, deeper)
        if found[:2] != entity[:2]
    ]
    return entities + inner


def inner_candidates(
    candidates: List[ScoredEntity], survivors: List[ScoredEntity], entities: List[ScoredEntity]
) -> Iterator[Tuple[ScoredEntity, List[ScoredEntity]]]:
    """Yields each entity of a level with the candidates strictly inside it that are not among its survivors."""
    kept = set(survivors)
    rest = [candidate for candidate in candidates if candidate not in kept]
    starts = [candidate.start for candidate in rest]
    for entity in entities:
        within = rest[bisect_left(starts, entity.start) : bisect_left(starts, entity.end)]
        yield entity, [span for span in within if span.end <= entity.end and span[:2] != entity[:2]]

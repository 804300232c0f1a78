"""
Decoding of FOFE-NER (Xu's thesis, section 5.3): from probabilities of spans to candidates, from candidates to entities
that do not overlap, and from these to nested entities.
"""

from bisect import bisect, bisect_left
from itertools import groupby
from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

import torch
from allennlp.common import FromParams, Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import check_range
from nerzoo.nn.spans import span_cells, span_indices, span_mask


class ScoredEntity(NamedTuple):
    """An `Entity`, `words[start:end]` with `end` exclusive, with the probability that a model gives it."""

    start: int
    end: int
    label: str
    score: float


def span_candidates(
    probabilities: torch.Tensor, mask: torch.BoolTensor, labels: Sequence[str], threshold: float
) -> List[List[ScoredEntity]]:
    """
    Returns the candidates of each sentence, in order of start, then end: spans whose most probable label is a type of
    entity, with a probability above a threshold. `probabilities` (B, T, n, 1 + L) are for each span, at [start,
    length - 1], the probability that it is no entity, then those of the L types `labels`; the mask is (B, T).
    """
    # shape: (B, T, n) each
    scores, best = probabilities.max(3)
    chosen = (best > 0) & (scores > threshold) & span_mask(mask, probabilities.size(2))
    spans = span_indices(chosen)
    cells = span_cells(spans)
    candidates: List[List[ScoredEntity]] = [[] for _ in range(len(mask))]
    for (sentence, start, end), label, score in zip(
        spans.tolist(), best[cells].tolist(), scores[cells].tolist(), strict=True
    ):
        candidates[sentence].append(ScoredEntity(start, end, labels[label - 1], score))
    return candidates


class SpanDecoder(Registrable):
    """
    Chooses among the candidates of a sentence some that do not overlap: one level of decoding. Subclasses implement the
    choice in `_without_overlaps`.

    # Parameters

    threshold : `float`, optional (default = `0.5`)
        The score above which candidates are considered. Outside [0, 1] it raises `ConfigurationError`.
    merge_adjacent : `bool`, optional (default = `False`)
        Whether to merge adjacent survivors of the same type into one entity, with the lowest of their scores. The
        thesis does, where the corpus cannot tell two adjacent entities from one; most formats can. Later versions of
        the original program no longer merge.
    """

    default_implementation = "highest_first"

    def __init__(self, threshold: float = 0.5, merge_adjacent: bool = False) -> None:
        check_range("threshold", threshold, 0, 1)
        self.threshold = threshold
        self.merge_adjacent = merge_adjacent

    def decode(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """Returns entities in order, given candidates in order of start, then end, all with different spans."""
        return self.merged(self.survivors(candidates))

    def survivors(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """Returns the chosen candidates, in order: they score above the threshold and do not overlap."""
        return self._without_overlaps([candidate for candidate in candidates if candidate.score > self.threshold])

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

    def _without_overlaps(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        raise NotImplementedError


@SpanDecoder.register("highest_first")
class HighestFirst(SpanDecoder):
    """
    Keeps the span with the highest score at every word (Algorithm 4 of Xu's thesis): a span survives if no other
    candidate that shares a word with it has a higher score. Among equal scores, the span that starts first wins, then
    the shortest.

    A removed span still removes others. The printed algorithm empties the set of removed spans at every word, which
    would undo all removals but those at the last word; here, as in the original program, the set grows.
    """

    def _without_overlaps(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        highest: Dict[int, ScoredEntity] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate.score, reverse=True):
            for word in range(candidate.start, candidate.end):
                highest.setdefault(word, candidate)
        return [
            candidate
            for candidate in candidates
            if all(highest[word] is candidate for word in range(candidate.start, candidate.end))
        ]


@SpanDecoder.register("longest_first")
class LongestFirst(SpanDecoder):
    """
    Keeps the spans that together cover the most words (Algorithm 5 of Xu's thesis). A dynamic programme finds, among
    all sets of spans that do not overlap, one with the largest number best(i) of words covered among the first i:

        best(i) = max(best(i - 1), max_j best(j) + i - j  over spans [j, i))

    Where both terms are equal, the span that ends at i is taken, and the longest of several such spans. Scores only
    have to be above the threshold.

    The text of section 5.3 states a simpler rule: the longest of the spans that share a word stays. The algorithm, like
    the original program, may prefer two shorter spans to the longest. Four slips in the printed algorithm are corrected
    here: positions count from 0 in some lines and from 1 in others, a span [1, i] counts one word and not i, the best
    set before a span is forgotten, and best(i - 1) is taken where it is the smaller and not where it is the larger
    number.
    """

    def _without_overlaps(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
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


class NestedDecoder(FromParams):
    """
    Finds nested entities level by level, outermost first (Algorithms 2 and 3 of Xu's thesis): the first level decodes
    all candidates, the second level the candidates strictly inside each entity of the first level, and so on. With one
    level entities are flat.

    Each level has its own threshold, so that a deeper level may take a candidate that a level above it did not.
    Candidates that were merged into an entity are part of it and not found again inside it; an entity that is merged
    inside another one to the same span is left out. The original program also leaves out inner entities of the same
    type as the outer one, which the thesis does not mention.

    # Parameters

    levels : `List[SpanDecoder]`
        The decoders of the levels, such as `["longest_first", {"type": "highest_first", "threshold": 0.3}]`. Without
        a level it raises `ConfigurationError`.
    """

    def __init__(self, levels: List[SpanDecoder]) -> None:
        if not levels:
            raise ConfigurationError("found no levels, expected one at least: one decodes flat entities")
        self.levels = levels

    @property
    def threshold(self) -> float:
        """The lowest of the levels' thresholds, above which every entity scores."""
        return min(level.threshold for level in self.levels)

    def decode(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """Returns entities, nested but not crossing, in order of start, outer before inner, with different spans."""
        entities = self._decode(candidates, self.levels)
        return sorted(entities, key=lambda entity: (entity.start, -entity.end))

    def _decode(self, candidates: List[ScoredEntity], levels: List[SpanDecoder]) -> List[ScoredEntity]:
        level, *deeper = levels
        survivors = level.survivors(candidates)
        entities = level.merged(survivors)
        if not deeper:
            return entities
        inner = [
            found
            for entity, within in inner_candidates(candidates, survivors, entities)
            for found in self._decode(within, deeper)
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

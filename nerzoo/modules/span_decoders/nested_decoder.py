from bisect import bisect_left
from typing import Iterator, List, Tuple

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder


class NestedDecoder(FromParams):
    """
    Finds nested entities level by level, outermost first (Algorithms 2 and 3 of the thesis): inside each entity that
    the first level found, the second level decodes those of all candidates that are strictly inside it, and so on. With
    one level entities are flat.

    Each level has its own threshold, so that one below may take what one above did not. Candidates that were merged
    into an entity are this entity, and not found again inside it; and what merging inside an entity makes as long as
    the entity itself is left out. The original program also leaves out inner entities of the outer one's type, of which
    the thesis says nothing.

    # Parameters

    levels : `List[SpanDecoder]`
        For instance `["longest_first", {"type": "highest_first", "threshold": 0.3}]`.

    # Raises

    `ConfigurationError` where there is no level.
    """

    def __init__(self, levels: List[SpanDecoder]) -> None:
        if not levels:
            raise ConfigurationError("found no levels, expected one at least: one decodes flat entities")
        self.levels = levels

    @property
    def threshold(self) -> float:
        """The lowest of the levels' thresholds: no level takes a candidate that does not score above it."""
        return min(level.threshold for level in self.levels)

    def decode(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """
        # Parameters

        candidates : `List[ScoredEntity]`
            As in `SpanDecoder.decode`.

        # Returns

        `List[ScoredEntity]`
            Entities that may be nested, but do not cross, in order of start, outer before inner; no two with the same
            span.
        """
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
    """
    # Parameters

    candidates : `List[ScoredEntity]`
        As in `SpanDecoder.decode`.
    survivors : `List[ScoredEntity]`
        Those of them that a level keeps.
    entities : `List[ScoredEntity]`
        What it makes of these by merging.

    # Returns

    `Iterator[Tuple[ScoredEntity, List[ScoredEntity]]]`
        Each of the entities, and the candidates strictly inside it, less the survivors.
    """
    kept = set(survivors)
    rest = [candidate for candidate in candidates if candidate not in kept]
    starts = [candidate.start for candidate in rest]
    for entity in entities:
        within = rest[bisect_left(starts, entity.start) : bisect_left(starts, entity.end)]
        yield entity, [span for span in within if span.end <= entity.end and span[:2] != entity[:2]]

from bisect import bisect_left
from typing import Iterator, List, Tuple

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder


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
        The decoders of the levels, such as `["longest_first", {"type": "highest_first", "threshold": 0.3}]`.

    # Raises

    `ConfigurationError` where there is no level.
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
        """
        # Parameters

        candidates : `List[ScoredEntity]`
            As in `SpanDecoder.decode`.

        # Returns

        `List[ScoredEntity]`
            Entities that may be nested, but do not cross, in order of start, outer before inner; all with different
            spans.
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
    Finds the candidates of the next level.

    # Parameters

    candidates : `List[ScoredEntity]`
        As in `SpanDecoder.decode`.
    survivors : `List[ScoredEntity]`
        The candidates that a level keeps.
    entities : `List[ScoredEntity]`
        The entities that it merges survivors into.

    # Returns

    `Iterator[Tuple[ScoredEntity, List[ScoredEntity]]]`
        Each entity, and the candidates strictly inside it that are no survivors.
    """
    kept = set(survivors)
    rest = [candidate for candidate in candidates if candidate not in kept]
    starts = [candidate.start for candidate in rest]
    for entity in entities:
        within = rest[bisect_left(starts, entity.start) : bisect_left(starts, entity.end)]
        yield entity, [span for span in within if span.end <= entity.end and span[:2] != entity[:2]]

from typing import List

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity


class SpanDecoder(Registrable):
    """
    Of the spans that a model takes for entities, keeps some that do not overlap: one level of FOFE-NER's decoding
    (Xu's thesis, section 5.3). A subclass says which of overlapping ones survive.

    # Parameters

    threshold : `float`, optional (default = `0.5`)
        Spans have to score more than this.
    merge_adjacent : `bool`, optional (default = `True`)
        Whether to make one entity of survivors of the same type with nothing between them, as the thesis does, and as
        is right where the corpus cannot tell them from one. Its score is the lowest of theirs. Later versions of the
        original program no longer do it.

    # Raises

    `ConfigurationError` where the threshold is not from 0 to 1.
    """

    default_implementation = "highest_first"

    def __init__(self, threshold: float = 0.5, merge_adjacent: bool = True) -> None:
        if not 0 <= threshold <= 1:
            raise ConfigurationError(f"found a threshold of {threshold}, expected one from 0 to 1")
        self.threshold = threshold
        self.merge_adjacent = merge_adjacent

    def decode(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """
        # Parameters

        candidates : `List[ScoredEntity]`
            The spans of one sentence that are taken for entities, in order of start, then end; no two with the
            same span.

        # Returns

        `List[ScoredEntity]`
            Entities that do not overlap, in order.
        """
        return self.merged(self.survivors(candidates))

    def survivors(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        """Those candidates, in order, that score above the threshold and do not overlap."""
        return self._without_overlaps([candidate for candidate in candidates if candidate.score > self.threshold])

    def merged(self, survivors: List[ScoredEntity]) -> List[ScoredEntity]:
        """The entities that survivors stand for, with adjacent ones made one if `merge_adjacent`."""
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

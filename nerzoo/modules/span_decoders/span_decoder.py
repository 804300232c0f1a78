from typing import List

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity


class SpanDecoder(Registrable):
    """
    Chooses among the candidates of a sentence, the spans that a model takes for entities, some that do not overlap: one
    level of FOFE-NER's decoding (Xu's thesis, section 5.3). Subclasses implement the choice.

    # Parameters

    threshold : `float`, optional (default = `0.5`)
        The score above which candidates are considered.
    merge_adjacent : `bool`, optional (default = `True`)
        Whether to merge adjacent survivors of the same type into one entity, with the lowest of their scores. The
        thesis does; it is right where the corpus cannot tell two adjacent entities from one. Later versions of the
        original program no longer merge.

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
            The candidates of one sentence, in order of start, then end, all with different spans.

        # Returns

        `List[ScoredEntity]`
            Entities that do not overlap, in order.
        """
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

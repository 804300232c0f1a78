from typing import Dict, List

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder


@SpanDecoder.register("highest_first")
class HighestFirst(SpanDecoder):
    """
    Algorithm 4 of the thesis: of all spans that contain a word only the one with the highest score stays, at every
    word. A span survives if it has the highest score at each of its words. On equal scores the span that starts
    first has the higher one, then the shorter one.

    All words are looked at with all spans: what a span removes stays removed, even if that span is itself
    removed by a third one. This is how the algorithm is printed, except that it empties the set of the removed at every
    word, which would undo all removals but those at the last word; here, as in the original program, it is filled from
    the first word to the last.
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

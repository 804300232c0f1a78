from typing import Dict, List

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder


@SpanDecoder.register("highest_first")
class HighestFirst(SpanDecoder):
    """
    Keeps the span with the highest score at every word (Algorithm 4 of Xu's thesis): a span survives if no other
    candidate that shares a word with it has a higher score. Of equal scores that of the span that starts first counts
    as higher, then that of the shorter span.

    A removed span still removes others. The algorithm is printed so, except that it empties the set of removed spans at
    every word, which would undo all removals but those at the last word; here, as in the original program, the set
    grows from the first word to the last.
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

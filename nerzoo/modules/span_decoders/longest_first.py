from bisect import bisect
from itertools import groupby
from typing import List

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder


@SpanDecoder.register("longest_first")
class LongestFirst(SpanDecoder):
    """
    Algorithm 5 of the thesis, a dynamic programme: of all sets of spans that do not overlap, one that covers the
    most words survives. With best(i) for the first i words,

        best(i) = max(best(i - 1), max_j best(j) + i - j  over spans [j, i))

    On equal numbers of words a span that ends at i goes before none, and a longer one before a shorter one. Scores
    count only against the threshold.

    The text of section 5.3 has it simpler: of spans that share a word the longest stays. The algorithm may prefer
    two shorter ones to it, as the original program does. As printed it has slips, which are mended here: positions
    count from 0 in some lines and from 1 in others, a span [1, i] counts one word and not i, what was best before a
    span is forgotten, and best(i - 1) is taken where it is the worse and not where it is the better one.
    """

    def _without_overlaps(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        # Between two ends of spans best(i) does not change. For each end so far: best, the span taken there or
        # none, and the position in these lists from which the others of its set are found.
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

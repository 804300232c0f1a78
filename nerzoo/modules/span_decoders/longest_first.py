from bisect import bisect
from itertools import groupby
from typing import List

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder


@SpanDecoder.register("longest_first")
class LongestFirst(SpanDecoder):
    """
    Keeps the spans that together cover the most words (Algorithm 5 of Xu's thesis). A dynamic programme finds, among
    all sets of spans that do not overlap, one with the largest number best(i) of words covered among the first i:

        best(i) = max(best(i - 1), max_j best(j) + i - j  over spans [j, i))

    Where both terms are equal, the span that ends at i is taken, and the longest of several such spans. Scores only
    have to be above the threshold.

    The text of section 5.3 states a simpler rule: of spans that share a word the longest stays. The algorithm, like the
    original program, may prefer two shorter spans to the longest. Four slips in the printed algorithm are corrected
    here: positions count from 0 in some lines and from 1 in others, a span [1, i] counts one word and not i, the best
    set before a span is forgotten, and best(i - 1) is taken where it is the smaller and not where it is the larger
    number.
    """

    def _without_overlaps(self, candidates: List[ScoredEntity]) -> List[ScoredEntity]:
        # best(i) changes at ends of spans only. For each end so far: best, the span taken there, if any, and the
        # position in these lists at which the best set before it is found.
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

"""
Decoding of FOFE-NER (Xu's thesis, section 5.3): from probabilities of spans to candidates, from candidates to entities
that do not overlap, and from these to nested entities.
"""

from typing import Any, Callable, Dict, List, Sequence

import torch
from allennlp.common import FromParams, Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import check_range
from nerzoo.nn.spans import span_cells, span_indices, span_mask
from nerzoo.text.span_levels import ScoredEntity, SpanLevel, decode_levels, highest_first, longest_first


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


class SpanDecoder(SpanLevel, Registrable):
    """
    Chooses among the candidates of a sentence some that do not overlap: one level of decoding. Subclasses have the
    choice in `choose`.

    # Parameters

    threshold : `float`, optional (default = `0.5`)
        The score above which candidates are considered. Outside [0, 1] it raises `ConfigurationError`.
    merge_adjacent : `bool`, optional (default = `False`)
        Whether to merge adjacent survivors of the same type into one entity, with the lowest of their scores. The
        thesis does, where the corpus cannot tell two adjacent entities from one; most formats can. Later versions of
        the original program no longer merge.
    """

    default_implementation = "highest_first"

    choose: Callable[[List[ScoredEntity]], List[ScoredEntity]]

    def __init__(self, threshold: float = 0.5, merge_adjacent: bool = False) -> None:
        check_range("threshold", threshold, 0, 1)
        super().__init__(self.choose, threshold, merge_adjacent)


@SpanDecoder.register("highest_first")
class HighestFirst(SpanDecoder):
    """
    Keeps the span with the highest score at every word (Algorithm 4 of Xu's thesis): a span survives if no other
    candidate that shares a word with it has a higher score. Among equal scores, the span that starts first wins, then
    the shortest.

    A removed span still removes others. The printed algorithm empties the set of removed spans at every word, which
    would undo all removals but those at the last word; here, as in the original program, the set grows.
    """

    choose = staticmethod(highest_first)


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

    choose = staticmethod(longest_first)


def level_config(level: SpanDecoder) -> Dict[str, Any]:
    """Returns the configuration of a level."""
    name = next(name for name in SpanDecoder.list_available() if SpanDecoder.by_name(name) is type(level))
    return {"type": name, "threshold": level.threshold, "merge_adjacent": level.merge_adjacent}


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
        return decode_levels(candidates, self.levels)

from typing import List, Sequence

import torch

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.nn.spans import span_cells, span_indices, span_mask


def span_candidates(
    probabilities: torch.Tensor, mask: torch.BoolTensor, labels: Sequence[str], threshold: float
) -> List[List[ScoredEntity]]:
    """
    Finds the spans whose most probable label is a type of entity, with a probability above a threshold.

    # Parameters

    probabilities : `torch.Tensor`
        Shape (B, T, n, 1 + L). For each span, at [start, length - 1], the probability that it is no entity, then the
        probabilities of L types.
    mask : `torch.BoolTensor`
        Shape (B, T). True = real token.
    labels : `Sequence[str]`
        The L types.
    threshold : `float`

    # Returns

    `List[List[ScoredEntity]]`
        The candidates of each sentence, in order of start, then end, as `SpanDecoder.decode` takes them.
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

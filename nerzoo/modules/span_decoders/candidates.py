from typing import List, Sequence

import torch

from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.nn.spans import span_mask


def span_candidates(
    probabilities: torch.Tensor, mask: torch.BoolTensor, labels: Sequence[str], threshold: float
) -> List[List[ScoredEntity]]:
    """
    The spans that are sooner an entity of some type than none, and that with a probability above a threshold.

    # Parameters

    probabilities : `torch.Tensor`, (B, T, n, 1 + L)
        Of each span, at [start, length - 1], how probable it is that it is no entity, and one of each of L types.
    mask : `torch.BoolTensor`, (B, T)
    labels : `Sequence[str]`
        The L types.
    threshold : `float`

    # Returns

    `List[List[ScoredEntity]]`
        Those of each of the B sentences, in order of start, then end: what a `SpanDecoder` takes.
    """
    # shape: (B, T, n) each
    scores, best = probabilities.max(3)
    chosen = (best > 0) & (scores > threshold) & span_mask(mask, probabilities.size(2))
    # shape: (C, 3), sentence, start and place in the grid
    places = chosen.nonzero()
    at = places.unbind(1)
    candidates: List[List[ScoredEntity]] = [[] for _ in range(len(mask))]
    for (sentence, start, place), label, score in zip(
        places.tolist(), best[at].tolist(), scores[at].tolist(), strict=True
    ):
        candidates[sentence].append(ScoredEntity(start, start + place + 1, labels[label - 1], score))
    return candidates

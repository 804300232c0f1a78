from typing import List

import torch
from torch.nn.functional import pad

from nerzoo.nn.precision import IMPOSSIBLE, at_least_float32


def entity_probabilities(
    logits: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    end: torch.Tensor,
    mask: torch.BoolTensor,
    tags: torch.Tensor,
    spans: torch.Tensor,
    continuation: torch.Tensor,
) -> torch.Tensor:
    """
    Returns the probability, (S,), that an entity has the tags (B, T) of its span, (S, 3), its sentence, start and end,
    the end exclusive, and not the tag of its `continuation` (S,) after that; -1 is no tag.

    It comes from sums over the sequences up to the entity and over those after it (Rabiner 1989, section III.A), so
    that time and memory do not grow with the product of words and entities.
    """
    transitions, start, end = (score.double() for score in (transitions, start, end))
    relative = logits.double() - logits.amax(2, keepdim=True).double()
    lengths, positions = mask.sum(1, keepdim=True), torch.arange(mask.size(1), device=mask.device)
    # shape: (B, T), which turns a sentence round and leaves its padding where it is
    turn = torch.where(mask, lengths - 1 - positions, positions)
    emissions = relative.exp()
    turned = emissions.gather(1, turn.unsqueeze(2).expand_as(emissions))

    # Both directions at a time, each sum divided by its total as in `log_partition`; shape of a sum: (2, B, L)
    step = torch.stack([transitions, transitions.t()]).exp()
    sums: List[torch.Tensor] = []
    totals: List[torch.Tensor] = []
    for emission in torch.stack([emissions, turned]).unbind(2):
        reached = sums[-1] @ step if sums else torch.stack([start, end]).exp().unsqueeze(1)
        sums.append(emission * reached)
        totals.append(sums[-1].sum(2))
        sums[-1] = sums[-1] / totals[-1].unsqueeze(2)
    # shape: (B, T, L) and (B, T) each; those of the other direction are in its order
    before, after = torch.stack(sums, dim=2)
    log_before, log_after = torch.stack(totals, dim=2).log().cumsum(2)

    # shape: (B, T + 1), the score of the tags before each token
    on_path = relative.gather(2, tags.unsqueeze(2)).squeeze(2).clamp(min=IMPOSSIBLE)
    between = pad(transitions[tags[:, :-1], tags[:, 1:]], (1, 0))
    score, score_between = (pad(part.cumsum(1), (1, 0)) for part in (on_path, between))

    # shape: (S,) each, but sums over tags: (S, L)
    rows, starts, ends = spans.unbind(1)
    first, last = tags[rows, starts], tags[rows, ends - 1]
    inside = score[rows, ends] - score[rows, starts] + score_between[rows, ends] - score_between[rows, starts + 1]
    left = (before[rows, starts - 1] * transitions.t()[first].exp()).sum(1).log() + log_before[rows, starts - 1]
    left = torch.where(starts == 0, start[first], left)
    lengths = lengths[rows, 0]
    place = (lengths - 1 - ends).clamp(min=0)
    onwards = after[rows, place] * transitions[last].exp()
    onwards *= continuation.unsqueeze(1) != torch.arange(logits.size(2), device=mask.device)
    right = torch.where(ends == lengths, end[last], onwards.sum(1).log() + log_after[rows, place])
    whole = (before[rows, lengths - 1] @ end.exp()).log() + log_before[rows, lengths - 1]
    # A part of the sum may exceed the whole by rounding.
    probabilities = (left + inside + right - whole).exp().clamp(max=1.0)
    return probabilities.to(at_least_float32(logits).dtype)

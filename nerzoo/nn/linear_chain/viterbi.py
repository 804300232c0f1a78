from typing import Tuple

import torch
from torch.nn.functional import pad

from nerzoo.nn.linear_chain.last_token import at_last_token
from nerzoo.nn.precision import at_least_float32


def best_sequence(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, mask: torch.BoolTensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns the tags of the best sequences, (B, T), and their scores, (B,). Of sequences of the same score the same one
    is found every time. Where all have the score -inf, the tags are zeros.
    """
    # shape: (L, L), the tag to go to and the tag to come from
    transitions = transitions.t().contiguous()
    first, *rest = at_least_float32(logits).unbind(1)
    # shape: (B, L); where each path comes from would take longer to keep than to find again for the best ones
    alphas = [start + first]
    for emission in rest:
        alphas.append((alphas[-1].unsqueeze(1) + transitions).amax(2) + emission)
    scores, state = (at_last_token(torch.stack(alphas, dim=1), mask) + end).max(1)

    # The way back starts at the very end, and leads over the padding to each sentence's last token unchanged.
    states = [state]
    for alpha, is_word in zip(alphas[-2::-1], mask.unbind(1)[:0:-1], strict=True):
        origin = (alpha + transitions.index_select(0, states[-1])).argmax(1)
        states.append(torch.where(is_word, origin, states[-1]))
    # shape: (B, T)
    tags = torch.stack(states[::-1], dim=1) * (mask & (scores > float("-inf")).unsqueeze(1))
    return tags, scores.masked_fill(~mask[:, 0], 0.0)


def best_sequences(
    logits: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    end: torch.Tensor,
    mask: torch.BoolTensor,
    k: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns the tags of the k best sequences, (B, k, T), best first, and their scores, (B, k). Of sequences of the same
    score the same ones are found every time. Where fewer than k exist, the surplus ones are zeros, their scores -inf.

    The recursion of `best_sequence`, with k values kept, not one, for each tag.
    """
    # A state is a tag and a rank, state = tag * k + rank: where the best, second best ... path to the tag ends.
    # shape: (L, L * k), the tag to go to and the state to come from
    transitions = transitions.t().repeat_interleave(k, dim=1)
    first, *rest = at_least_float32(logits).unbind(1)

    # shape: (B, L * k); a single token has no second best way to its tag
    alphas = [pad((start + first).unsqueeze(2), (0, k - 1), value=float("-inf")).flatten(1)]
    pointers = []
    for emission in rest:
        # shape: (B, L, k) both
        scores, origins = (alphas[-1].unsqueeze(1) + transitions).topk(k)
        alphas.append((scores + emission.unsqueeze(2)).flatten(1))
        pointers.append(origins.flatten(1))

    # shape: (B, k) both
    final = at_last_token(torch.stack(alphas, dim=1), mask) + end.repeat_interleave(k)
    scores, state = final.topk(k)

    # Following the pointers from the very end, over the padding, must lead to each sentence's last token unchanged.
    states = [state]
    if pointers:
        # shape: (B, T - 1, L * k)
        stay = torch.arange(final.size(1), device=final.device)
        way_back = torch.where(mask[:, 1:].unsqueeze(2), torch.stack(pointers, dim=1), stay)
        for origins in reversed(way_back.unbind(1)):
            states.append(origins.gather(1, states[-1]))

    # shape: (B, k, T)
    tags = torch.stack(states[::-1], dim=2) // k
    # shape: (k,), of the one path through no tokens
    empty = pad(scores.new_zeros(1), (0, k - 1), value=float("-inf"))
    scores = torch.where(mask[:, :1], scores, empty)
    return tags * (mask.unsqueeze(1) & (scores > float("-inf")).unsqueeze(2)), scores

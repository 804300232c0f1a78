from typing import List

import torch

from nerzoo.nn.linear_chain.last_token import at_last_token
from nerzoo.nn.precision import at_least_float32


def entropy(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, mask: torch.BoolTensor
) -> torch.Tensor:
    """
    Returns the entropy of each sentence's tag sequence in nats, (B,), in one pass over the tokens (Hernando, Crespi and
    Cybenko, 2005): the entropy of the tags before a token, given its tag j, is

        H_t[j] = sum_i p(i | j) (H_t-1[i] - log p(i | j)),
        p(i | j) = softmax_i(alpha_t-1[i] + transitions[i, j]),

    and that of the whole sequence the same for an end after the last token. Sums of what is positive lose nothing,
    which log Z minus the expected score, two large numbers, would.
    """
    transitions, start, end = (score.double() for score in (transitions, start, end))
    relative = logits.double() - logits.amax(2, keepdim=True).double()
    # Scores relative to the best tag of a token: they neither overflow nor grow with the length.
    alphas: List[torch.Tensor] = []
    entropies: List[torch.Tensor] = []
    for emission in relative.unbind(1):
        if alphas:
            # shape: (B, L, L), the tag to come from and the tag to go to
            scores_between = alphas[-1].unsqueeze(2) + transitions
            entropies.append(_mixed(entropies[-1].unsqueeze(2), scores_between))
            alpha = scores_between.logsumexp(1) + emission
        else:
            entropies.append(torch.zeros_like(emission))
            alpha = start + emission
        alphas.append(alpha - alpha.amax(1, keepdim=True))
    final = at_last_token(torch.stack(alphas, dim=1), mask) + end
    of_sequence = _mixed(at_last_token(torch.stack(entropies, dim=1), mask), final)
    return of_sequence.to(at_least_float32(logits).dtype).masked_fill(~mask[:, 0], 0.0)


def _mixed(entropies: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """The entropy of a tag, by its `scores` (B, L, ...), and of what has the `entropies` given the tag."""
    probabilities = scores.softmax(1)
    return (probabilities * entropies + torch.special.entr(probabilities)).sum(1)

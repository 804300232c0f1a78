"""
The recursions of a linear-chain CRF over B sentences of up to T tokens with L tags. All functions take the logits
(B, T, L) of tags, the scores of transitions (L, L), from the row's tag to the column's, of the start and the end of
sentences (L,), and the mask (B, T). On a GPU log Z and the best sequence are one kernel each; see `fused_crf`.
"""

import functools
from importlib.util import find_spec
from typing import List, Tuple

import torch
from torch.nn.functional import pad

from nerzoo.nn import fused_crf
from nerzoo.nn.numerics import IMPOSSIBLE, at_least_float32

MAX_FUSED_TAGS = 128
"""The transitions of more tags do not fit on the chip of a GPU."""


@functools.cache
def _has_triton() -> bool:
    # PyTorch for CPUs and for Windows comes without it.
    return find_spec("triton") is not None


def can_fuse(logits: torch.Tensor) -> bool:
    """Tests if the kernels of a GPU can take these logits."""
    return logits.device.type == "cuda" and logits.size(2) <= MAX_FUSED_TAGS and _has_triton()


def _in_one_dtype(logits: torch.Tensor, *scores: torch.Tensor) -> List[torch.Tensor]:
    """Returns all scores in the precision of the logits, but in float32 at least."""
    logits = at_least_float32(logits)
    return [logits, *(score.to(logits.dtype) for score in scores)]


def at_last_token(x: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
    """Returns `x` (B, T, ...) at each sentence's last real token, (B, ...); at the first where there is none."""
    last = (mask.sum(1) - 1).clamp(min=0)
    return x[torch.arange(len(x), device=x.device), last]


def log_partition(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, mask: torch.BoolTensor
) -> torch.Tensor:
    """
    Returns log Z, (B,). The recursion is a product of matrices over exp(alpha), in double precision and scaled to a sum
    of one at every token (Rabiner 1989, section V.A): several times faster than logsumexp. Tags that are e^700 times
    less likely than the best one of their token are lost.
    """
    if can_fuse(logits):
        return fused_crf.log_partition(*_in_one_dtype(logits, transitions, start, end), mask.sum(1))[0]
    transitions, start, end = (score.double().exp() for score in (transitions, start, end))
    # shape: (B, T), and T times (B, L)
    highest = logits.detach().amax(2).double()
    emissions = (logits.double() - highest.unsqueeze(2)).exp().unbind(1)

    # Each alpha is divided by its sum, a constant to the gradient: the gradient of log alpha is the same. The loop runs
    # over the padding, too; taking alpha at the last token afterwards is cheaper than masking every step.
    alphas: List[torch.Tensor] = []
    sums: List[torch.Tensor] = []
    for emission in emissions:
        alpha = emission * (alphas[-1] @ transitions if alphas else start)
        sums.append(alpha.detach().sum(1, keepdim=True))
        alphas.append(alpha / sums[-1])

    # shape: (B, T)
    log_scales = (torch.cat(sums, dim=1).log() + highest) * mask
    log_z = (at_last_token(torch.stack(alphas, dim=1), mask) @ end).log() + log_scales.sum(1)
    return log_z.to(at_least_float32(logits).dtype).masked_fill(~mask[:, 0], 0.0)


def best_sequence(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, mask: torch.BoolTensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns the tags of the best sequences, (B, T), and their scores, (B,). Among sequences of the same score it finds
    the same one every time. Where all have the score -inf, the tags are zeros.
    """
    if can_fuse(logits):
        return fused_crf.viterbi(*_in_one_dtype(logits, transitions, start, end), mask.sum(1))
    # shape: (L, L), the tag to go to and the tag to come from
    transitions = transitions.t().contiguous()
    first, *rest = at_least_float32(logits).unbind(1)
    # shape: (B, L); finding the origins of the best paths again is faster than keeping those of all paths
    alphas = [start + first]
    for emission in rest:
        alphas.append((alphas[-1].unsqueeze(1) + transitions).amax(2) + emission)
    scores, state = (at_last_token(torch.stack(alphas, dim=1), mask) + end).max(1)

    # The way back starts after the padding, and keeps the state up to each sentence's last token.
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
    Returns the tags of the k best sequences, (B, k, T), best first, and their scores, (B, k). Where fewer than k exist,
    the surplus ones are zeros, their scores -inf. The recursion keeps k values for each tag.
    """
    # A state is a tag and a rank, state = tag * k + rank: the end of the best, second best ... path to the tag.
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

    # The pointers of padding keep the state up to each sentence's last token.
    states = [state]
    if pointers:
        # shape: (B, T - 1, L * k)
        stay = torch.arange(final.size(1), device=final.device)
        way_back = torch.where(mask[:, 1:].unsqueeze(2), torch.stack(pointers, dim=1), stay)
        for origins in reversed(way_back.unbind(1)):
            states.append(origins.gather(1, states[-1]))

    # shape: (B, k, T)
    tags = torch.stack(states[::-1], dim=2) // k
    # shape: (k,), the score of the one path through no tokens
    empty = pad(scores.new_zeros(1), (0, k - 1), value=float("-inf"))
    scores = torch.where(mask[:, :1], scores, empty)
    return tags * (mask.unsqueeze(1) & (scores > float("-inf")).unsqueeze(2)), scores


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
    Returns the probabilities (S,) that entities have the `tags` (B, T) of their spans (S, 3), sentence, start and
    exclusive end, and that the tag after them is not their `continuation` (S,), -1 being no tag.

    They come from sums over the sequences up to the entity and over those after it (Rabiner 1989, section III.A), so
    that time and memory do not grow with the product of words and entities.
    """
    transitions, start, end = (score.double() for score in (transitions, start, end))
    relative = logits.double() - logits.amax(2, keepdim=True).double()
    lengths = mask.sum(1, keepdim=True)
    sums, _, totals = _both_directions(relative, transitions, start, end, _turn(mask))
    # shape: (B, T, L) and (B, T); `after` and `log_after` are in the order of the reversed sentences
    before, after = torch.stack(sums, dim=2)
    log_before, log_after = torch.stack(totals, dim=2).log().cumsum(2)

    # shape: (B, T + 1), the score of the tags before each token
    on_path = relative.gather(2, tags.unsqueeze(2)).squeeze(2).clamp(min=IMPOSSIBLE)
    between = pad(transitions[tags[:, :-1], tags[:, 1:]], (1, 0))
    score, score_between = (pad(part.cumsum(1), (1, 0)) for part in (on_path, between))

    # shape: (S,) each, before a sum over tags (S, L)
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


def log_marginals(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, mask: torch.BoolTensor
) -> torch.Tensor:
    """
    Returns the logarithms of the probabilities of every tag at every token, (B, T, L), zero at padding, through which
    gradients flow (Rabiner 1989, section III.B, equation 27): the product of the sum over the sequences up to a tag and
    of that over those after it, divided by the sum of these products over all tags of the token. Tags that are e^700
    times less likely than the best one have no gradient.
    """
    transitions, start, end = (score.double() for score in (transitions, start, end))
    turn = _turn(mask)
    relative = logits.double() - logits.detach().amax(2, keepdim=True).double()
    sums, reached, _ = _both_directions(relative, transitions, start, end, turn)
    before, after = torch.stack(sums, dim=2)[0], torch.stack(reached, dim=2)[1]
    after = after.gather(1, turn.unsqueeze(2).expand_as(after))
    tiny = torch.finfo(torch.float64).tiny
    found = (before.clamp(min=tiny).log() + after.clamp(min=tiny).log()).log_softmax(2)
    return found.to(at_least_float32(logits).dtype).masked_fill(~mask.unsqueeze(2), 0.0)


def _turn(mask: torch.BoolTensor) -> torch.Tensor:
    """Returns the positions of the tokens of reversed sentences, (B, T), with padding where it is."""
    positions = torch.arange(mask.size(1), device=mask.device)
    return torch.where(mask, mask.sum(1, keepdim=True) - 1 - positions, positions)


def _both_directions(
    relative: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, turn: torch.Tensor
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """
    Sums over the sequences up to each tag, in the order of the sentences and of the sentences reversed, given logits
    (B, T, L) relative to the best tag. Returns for each of T tokens the sums with the token, (2, B, L), divided by
    their totals as in `log_partition`; those without it, which the next ones are made of; and the totals, (2, B).
    """
    emissions = relative.exp()
    turned = emissions.gather(1, turn.unsqueeze(2).expand_as(emissions))
    step = torch.stack([transitions, transitions.t()]).exp()
    sums: List[torch.Tensor] = []
    reached: List[torch.Tensor] = []
    totals: List[torch.Tensor] = []
    for emission in torch.stack([emissions, turned]).unbind(2):
        # shape: (2, B, L)
        reached.append(sums[-1] @ step if sums else torch.stack([start, end]).exp().unsqueeze(1).expand_as(emission))
        sums.append(emission * reached[-1])
        totals.append(sums[-1].detach().sum(2))
        sums[-1] = sums[-1] / totals[-1].unsqueeze(2)
    return sums, reached, totals


def entropy(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, mask: torch.BoolTensor
) -> torch.Tensor:
    """
    Returns the entropy of each sentence's tag sequence in nats, (B,), in one pass over the tokens (Hernando, Crespi and
    Cybenko, 2005): the entropy of the tags before a token, given its tag j, is

        H_t[j] = sum_i p(i | j) (H_t-1[i] - log p(i | j)),
        p(i | j) = softmax_i(alpha_t-1[i] + transitions[i, j]),

    and the entropy of the whole sequence the same for an end after the last token. Sums of positive numbers lose
    nothing, unlike log Z minus the expected score, which are both large.
    """
    transitions, start, end = (score.double() for score in (transitions, start, end))
    relative = logits.double() - logits.amax(2, keepdim=True).double()
    # Scores relative to the best tag of a token neither overflow nor grow with the length.
    alphas: List[torch.Tensor] = []
    entropies: List[torch.Tensor] = []
    for emission in relative.unbind(1):
        if alphas:
            # shape: (B, L, L), the tag to come from and the tag to go to
            scores_between = alphas[-1].unsqueeze(2) + transitions
            entropies.append(_entropy_given_next(entropies[-1].unsqueeze(2), scores_between))
            alpha = scores_between.logsumexp(1) + emission
        else:
            entropies.append(torch.zeros_like(emission))
            alpha = start + emission
        alphas.append(alpha - alpha.amax(1, keepdim=True))
    final = at_last_token(torch.stack(alphas, dim=1), mask) + end
    total = _entropy_given_next(at_last_token(torch.stack(entropies, dim=1), mask), final)
    return total.to(at_least_float32(logits).dtype).masked_fill(~mask[:, 0], 0.0)


def _entropy_given_next(entropies: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """Returns the entropy of a tag with `scores` (B, L, ...) and of the tags before it, with `entropies` given it."""
    probabilities = scores.softmax(1)
    return (probabilities * entropies + torch.special.entr(probabilities)).sum(1)

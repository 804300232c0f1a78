"""
The linear-chain conditional random field.

A sequence of tags y_1 ... y_T has the score

    score(x, y) = start[y_1] + sum_t logits[t, y_t] + sum_t transitions[y_t-1, y_t] + end[y_T]

and what we want of the sum, or the maximum, over all L^T sequences comes from one recursion over T,

    alpha_1[j] = start[j] + logits[1, j],
    alpha_t[j] = (+)_i (alpha_t-1[i] + transitions[i, j]) + logits[t, j],
    result     = (+)_j (alpha_T[j] + end[j]),

which is log Z where (+) is logsumexp, and the score of the best sequence where (+) is the maximum. Its k best
sequences come from keeping k values, not one, for each tag.

For log Z the recursion runs over exp(alpha), where it is a product of matrices, in double precision and scaled to a sum
of one at every token (Rabiner 1989, section V.A): several times faster than logsumexp. What is e^700 times less likely
than the best tag of its token is lost. On a GPU log Z and the best sequence are one kernel each; see `fused_crf`.

With a temperature T, logits and transitions are divided by T everywhere but in the search for the best sequences, which
are the same for every T.
"""

from typing import List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import pad

from nerzoo.modules.tag_distributions.tag_distribution import IMPOSSIBLE, TagDistribution
from nerzoo.nn import fused_crf
from nerzoo.nn.precision import at_least_float32


@TagDistribution.register("crf")
class ConditionalRandomField(TagDistribution):
    """
    A linear-chain CRF, batched in everything: the only loops are over the tokens.

    The parameters are named as in AllenNLP's CRF and initialised as there: `transitions`, (L, L), from a Xavier normal
    distribution, `start_transitions` and `end_transitions`, (L,), from a standard normal one. They are ordinary
    parameters; the callback `frozen_transitions` holds them at zero for a while.

    # Parameters

    num_tags : `int`
        L.
    constraints : `List[Tuple[int, int]]`, optional
        The transitions that are allowed, `(from, to)`, L being the start and L + 1 the end of a sentence: what
        AllenNLP's `allowed_transitions` returns. Without it all are.
    include_start_end_transitions : `bool`, optional (default = `True`)
        Whether there are parameters for the start and the end of a sentence.
    constrain_partition : `bool`, optional (default = `False`)
        Whether sequences that violate the constraints have no share in the partition function and the marginals
        either. A gold sequence that violates them then has a log-likelihood of about `VIOLATION`
        for each violation, not of minus infinity: one bad annotation must not end a training run.
    constrain_decoding : `bool`, optional (default = `True`)
        Whether only sequences that keep the constraints are decoded. Where not, the constraints have no effect, and
        what is decoded may be ill-formed.

    # Raises

    `ConfigurationError` for `constrain_partition` without `constrain_decoding`.
    """

    # The score of a violation in a constrained partition: its exponential is next to 0, but not 0 in double precision.
    VIOLATION = -500.0

    _penalties: torch.Tensor

    def __init__(
        self,
        num_tags: int,
        constraints: Optional[List[Tuple[int, int]]] = None,
        include_start_end_transitions: bool = True,
        constrain_partition: bool = False,
        constrain_decoding: bool = True,
    ) -> None:
        super().__init__(num_tags, constraints)
        if constrain_partition and not constrain_decoding:
            raise ConfigurationError(
                "found constrain_partition: true with constrain_decoding: false, which would decode sequences that "
                "have no share in the partition"
            )
        self.constrain_partition = constrain_partition

        self.transitions = torch.nn.Parameter(torch.empty(num_tags, num_tags))
        torch.nn.init.xavier_normal_(self.transitions)
        if include_start_end_transitions:
            self.start_transitions = torch.nn.Parameter(torch.randn(num_tags))
            self.end_transitions = torch.nn.Parameter(torch.randn(num_tags))
        else:
            self.register_buffer("start_transitions", torch.zeros(num_tags), persistent=False)
            self.register_buffer("end_transitions", torch.zeros(num_tags), persistent=False)

        # 0 where a transition is allowed, -inf where not: known from the constructor's arguments, so no state to save.
        is_constrained = constraints is not None and constrain_decoding
        penalties = torch.full((num_tags + 2, num_tags + 2), float("-inf") if is_constrained else 0.0)
        for source, target in constraints or ():
            penalties[source, target] = 0.0
        self.register_buffer("_penalties", penalties, persistent=False)

    def path_score(self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        transitions, start, end = self._scaled_transitions(self._violation)
        # shape: (B, T - 1)
        between = transitions[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]
        # shape: (B,)
        ends = (start[tags[:, 0]] + end[_at_last_token(tags, mask)]) * mask[:, 0]
        return super().path_score(logits, tags, mask) + between.sum(1) + ends

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        scores = self._scaled_transitions(self.VIOLATION if decodable else self._violation)
        logits = self.scaled(logits)
        if fused_crf.fits(logits):
            return fused_crf.log_partition(*_of_one_type(logits, *scores), mask.sum(1))[0]
        transitions, start, end = (score.double().exp() for score in scores)
        # shape: (B, T), and T times (B, L)
        highest = logits.detach().amax(2).double()
        emissions = (logits.double() - highest.unsqueeze(2)).exp().unbind(1)

        # Each alpha is divided by its sum, a constant to the gradient: that of log alpha is the same. We go on over the
        # padding and pick alpha at the last token afterwards, which is cheaper than masking every step.
        alphas: List[torch.Tensor] = []
        sums: List[torch.Tensor] = []
        for emission in emissions:
            alpha = emission * (alphas[-1] @ transitions if alphas else start)
            sums.append(alpha.detach().sum(1, keepdim=True))
            alphas.append(alpha / sums[-1])

        # shape: (B, T)
        log_scales = (torch.cat(sums, dim=1).log() + highest) * mask
        log_partition = (_at_last_token(torch.stack(alphas, dim=1), mask) @ end).log() + log_scales.sum(1)
        return log_partition.to(at_least_float32(logits).dtype).masked_fill(~mask[:, 0], 0.0)

    @torch.no_grad()
    def transition_scores(self) -> torch.Tensor:
        scores = self._penalties.clone()
        scores[:-2, :-2], scores[-2, :-2], scores[:-2, -1] = self._transitions(float("-inf"))
        return scores

    @torch.no_grad()
    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        As in `TagDistribution`: the k best tag sequences that keep the constraints. Of sequences of the same score the
        same ones are found every time. Where fewer than k exist, the surplus ones are zeros and their scores -inf.
        """
        if top_k == 1:
            return self._best_sequence(logits, mask)
        transitions, start, end = self._transitions(float("-inf"))
        # A state is a tag and a rank, state = tag * k + rank: where the best, second best ... path to the tag ends.
        # shape: (L, L * k), the tag to go to and the state to come from
        transitions = transitions.t().repeat_interleave(top_k, dim=1)
        first, *rest = at_least_float32(logits).unbind(1)

        # shape: (B, L * k); a single token has no second best way to its tag
        alphas = [pad((start + first).unsqueeze(2), (0, top_k - 1), value=float("-inf")).flatten(1)]
        pointers = []
        for emission in rest:
            # shape: (B, L, k) both
            scores, origins = (alphas[-1].unsqueeze(1) + transitions).topk(top_k)
            alphas.append((scores + emission.unsqueeze(2)).flatten(1))
            pointers.append(origins.flatten(1))

        # shape: (B, k) both
        final = _at_last_token(torch.stack(alphas, dim=1), mask) + end.repeat_interleave(top_k)
        scores, state = final.topk(top_k)

        # Following the pointers from the very end, over the padding, must lead to each sentence's last token unchanged.
        states = [state]
        if pointers:
            # shape: (B, T - 1, L * k)
            stay = torch.arange(final.size(1), device=final.device)
            way_back = torch.where(mask[:, 1:].unsqueeze(2), torch.stack(pointers, dim=1), stay)
            for origins in reversed(way_back.unbind(1)):
                states.append(origins.gather(1, states[-1]))

        # shape: (B, k, T)
        tags = torch.stack(states[::-1], dim=2) // top_k
        # shape: (k,), of the one path through no tokens
        empty = pad(scores.new_zeros(1), (0, top_k - 1), value=float("-inf"))
        scores = torch.where(mask[:, :1], scores, empty)
        return tags * (mask.unsqueeze(1) & (scores > float("-inf")).unsqueeze(2)), self.scaled(scores)

    def _best_sequence(self, logits: torch.Tensor, mask: torch.BoolTensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """`viterbi` for k = 1."""
        transitions, start, end = self._transitions(float("-inf"))
        if fused_crf.fits(logits):
            tags, scores = fused_crf.viterbi(*_of_one_type(logits, transitions, start, end), mask.sum(1))
            return tags.unsqueeze(1), self.scaled(scores.unsqueeze(1))
        # shape: (L, L), the tag to go to and the tag to come from
        transitions = transitions.t().contiguous()
        first, *rest = at_least_float32(logits).unbind(1)
        # shape: (B, L); where each path comes from would take longer to keep than to find again for the best ones
        alphas = [start + first]
        for emission in rest:
            alphas.append((alphas[-1].unsqueeze(1) + transitions).amax(2) + emission)
        scores, state = (_at_last_token(torch.stack(alphas, dim=1), mask) + end).max(1)

        # The way back starts at the very end, and leads over the padding to each sentence's last token unchanged.
        states = [state]
        for alpha, is_word in zip(alphas[-2::-1], mask.unbind(1)[:0:-1], strict=True):
            origin = (alpha + transitions.index_select(0, states[-1])).argmax(1)
            states.append(torch.where(is_word, origin, states[-1]))
        # shape: (B, 1, T) and (B, 1)
        tags = torch.stack(states[::-1], dim=1) * (mask & (scores > float("-inf")).unsqueeze(1))
        return tags.unsqueeze(1), self.scaled(scores.masked_fill(~mask[:, 0], 0.0).unsqueeze(1))

    @torch.no_grad()
    def entropy(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """
        As in `TagDistribution`, in one pass over the tokens (Hernando, Crespi and Cybenko, 2005): the entropy of
        the tags before a token, given its tag j, is

            H_t[j] = sum_i p(i | j) (H_t-1[i] - log p(i | j)),
            p(i | j) = softmax_i(alpha_t-1[i] + transitions[i, j]),

        and that of the whole sequence the same for an end after the last token. Sums of what is positive lose nothing,
        which log Z minus the expected score, two large numbers, would.
        """
        scores = self._scaled_transitions(self.VIOLATION)
        transitions, start, end = (score.double() for score in scores)
        logits = self.scaled(logits)
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
        final = _at_last_token(torch.stack(alphas, dim=1), mask) + end
        entropy = _mixed(_at_last_token(torch.stack(entropies, dim=1), mask), final)
        return entropy.to(at_least_float32(logits).dtype).masked_fill(~mask[:, 0], 0.0)

    @torch.no_grad()
    def entity_probabilities(
        self,
        logits: torch.Tensor,
        mask: torch.BoolTensor,
        tags: torch.Tensor,
        spans: torch.Tensor,
        continuation: torch.Tensor,
    ) -> torch.Tensor:
        """
        As in `TagDistribution`, from sums over the sequences up to the entity and over those after it (Rabiner 1989,
        section III.A), so that time and memory do not grow with the product of words and entities.
        """
        transitions, start, end = (score.double() for score in self._scaled_transitions(self.VIOLATION))
        logits = self.scaled(logits)
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
        onwards *= continuation.unsqueeze(1) != torch.arange(self.num_tags, device=mask.device)
        right = torch.where(ends == lengths, end[last], onwards.sum(1).log() + log_after[rows, place])
        whole = (before[rows, lengths - 1] @ end.exp()).log() + log_before[rows, lengths - 1]
        # A part of the sum may exceed the whole by rounding.
        probabilities = (left + inside + right - whole).exp().clamp(max=1.0)
        return probabilities.to(at_least_float32(logits).dtype)

    @property
    def _violation(self) -> float:
        return self.VIOLATION if self.constrain_partition else 0.0

    def _scaled_transitions(self, violation: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return self._transitions(violation, self.temperature)

    def _transitions(
        self, violation: float, temperature: float = 1.0
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """
        Transitions, (L, L), from the start, (L,), and to the end, (L,), divided by the temperature, with `violation`
        added to those not allowed.
        """
        penalties = self._penalties.clamp(min=violation)
        tags, start, end = slice(self.num_tags), self.num_tags, self.num_tags + 1
        return (
            self.transitions / temperature + penalties[tags, tags],
            self.start_transitions / temperature + penalties[start, tags],
            self.end_transitions / temperature + penalties[tags, end],
        )


def _of_one_type(logits: torch.Tensor, *scores: torch.Tensor) -> List[torch.Tensor]:
    logits = at_least_float32(logits)
    return [logits, *(score.to(logits.dtype) for score in scores)]


def _mixed(entropies: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """The entropy of a tag, by its `scores` (B, L, ...), and of what has the `entropies` given the tag."""
    probabilities = scores.softmax(1)
    return (probabilities * entropies + torch.special.entr(probabilities)).sum(1)


def _at_last_token(x: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
    """`x`, (B, T, ...), at each sentence's last real token, (B, ...); at the first where there is none."""
    last = (mask.sum(1) - 1).clamp(min=0)
    return x[torch.arange(len(x), device=x.device), last]

"""Distributions over the tag sequences of a sentence."""

from typing import List, Optional, Tuple

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import pad

from nerzoo.nn import linear_chain
from nerzoo.nn.linear_chain import at_last_token
from nerzoo.nn.numerics import IMPOSSIBLE, at_least_float32


class TagDistribution(torch.nn.Module, Registrable):
    """
    A distribution over the tag sequences of a sentence, given a score for every tag of every token:

        p(y | x) = exp(score(x, y)) / Z(x),    Z(x) = sum of exp(score(x, y)) over all y.

    Scores are divided by the `temperature`, 1 unless a head sets it: above 1 the model is less sure of its predictions,
    below it surer (Guo et al., "On Calibration of Modern Neural Networks", 2017, section 4.2). The predictions stay the
    same.

    A subclass defines `path_score`, `log_partition`, `viterbi`, `transition_scores`, `log_marginals`, `entropy` and
    `entity_probabilities`. The marginals are the gradient of log Z, and the probability of an event is Z summed over
    the sequences in which the event happens, divided by Z over all sequences.

    B sentences of up to T tokens have `logits` (B, T, L) for L tags, and a `mask` (B, T), `True` at real tokens, which
    stand at the left. `tags` are (B, T). Results are zero at padding; a sentence of padding alone has one tag sequence,
    the empty one, of score 0. The computation is in the precision of the logits, but in float32 at least.

    # Parameters

    num_tags : `int`
        L.
    constraints : `List[Tuple[int, int]]`, optional
        The transitions that are allowed, by default all: `(from, to)`, L being the start and L + 1 the end of a
        sentence, as AllenNLP's `allowed_transitions` returns them. A subclass without transitions does not use them.
    """

    default_implementation = "crf"

    temperature: float = 1.0

    def __init__(self, num_tags: int, constraints: Optional[List[Tuple[int, int]]] = None) -> None:
        super().__init__()
        self.num_tags = num_tags
        self.constraints = constraints

    def scaled(self, logits: torch.Tensor) -> torch.Tensor:
        """Returns logits, of any shape, divided by the temperature, in float32 at least."""
        logits = at_least_float32(logits)
        return logits if self.temperature == 1 else logits / self.temperature

    def path_score(self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the scores of the sequences `tags`, (B,): here, the sum of the logits on the path."""
        # shape: (B, T)
        on_path = self.scaled(logits).gather(2, tags.unsqueeze(2)).squeeze(2)
        return (on_path * mask).sum(1)

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        """Returns log Z, (B,); if `decodable`, summed only over sequences that `viterbi` can return."""
        raise NotImplementedError

    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        Returns the k best tag sequences, (B, k, T), best first, and their scores, (B, k). Where fewer than k exist, the
        surplus ones are zeros and their scores -inf. Ties are broken in the same way every time.
        """
        raise NotImplementedError

    def transition_scores(self) -> torch.Tensor:
        """
        Returns the scores of tags after tags, (L + 2, L + 2), from the row's tag to the column's, L being the start and
        L + 1 the end of a sentence; minus infinity where `viterbi` does not allow one. They are not divided by the
        temperature.
        """
        raise NotImplementedError

    def log_likelihood(self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns log p(tags | logits) of every sentence, (B,)."""
        return self.path_score(logits, tags, mask) - self.log_partition(logits, mask)

    def marginals(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the probability of every tag at every token, (B, T, L), detached from the graph of `logits`."""
        with torch.enable_grad():
            logits = at_least_float32(logits).detach().requires_grad_()
            (gradient,) = torch.autograd.grad(self.log_partition(logits, mask).sum(), logits)
        # The partition function is a sum over scaled logits.
        return gradient * self.temperature

    def log_marginals(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the logarithms of `marginals`, (B, T, L), zero at padding, in the graph of `logits`."""
        raise NotImplementedError

    def entropy(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the entropy in nats of the tag sequences that can be decoded, (B,): - sum_y p(y | x) log p(y | x)."""
        raise NotImplementedError

    @torch.no_grad()
    def decodable_log_likelihood(
        self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor
    ) -> torch.Tensor:
        """
        Returns the logarithm of the probability of the sequences `tags`, (B,), among those that can be decoded. It is
        in double precision, since it is the difference of two numbers that may be large.
        """
        relative = logits.double() - logits.amax(2, keepdim=True).double()
        log_probability = self.path_score(relative, tags, mask) - self.log_partition(relative, mask, decodable=True)
        # A single share may exceed the whole by rounding.
        return log_probability.clamp(max=0.0)

    def best_probability(self, logits: torch.Tensor, mask: torch.BoolTensor, tags: torch.Tensor) -> torch.Tensor:
        """Returns the probability of the decoded sequences `tags`, (B,), among those that can be decoded."""
        return self.decodable_log_likelihood(logits, tags, mask).exp().to(at_least_float32(logits).dtype)

    def entity_probabilities(
        self,
        logits: torch.Tensor,
        mask: torch.BoolTensor,
        tags: torch.Tensor,
        spans: torch.Tensor,
        continuation: torch.Tensor,
    ) -> torch.Tensor:
        """
        Returns the probabilities of entities, (S,), among the sequences that can be decoded: that the tags of an entity
        are the decoded `tags`, and that it ends where it was decoded to end. `spans` (S, 3) are each entity's sentence,
        start and exclusive end, `continuation` (S,) the tag that would prolong it at position `end`, I-X in BIO; -1
        where no tag would, as in BIOUL. Small numbers are divided, in double precision.
        """
        raise NotImplementedError


@TagDistribution.register("crf")
class ConditionalRandomField(TagDistribution):
    """
    A linear-chain conditional random field, whose recursions over the tokens are in `nerzoo.nn.linear_chain`. Logits
    and transitions are divided by the temperature everywhere but in the search for the best sequences, which do not
    depend on it.

    The parameters are named as in AllenNLP's CRF and initialised as there: `transitions`, (L, L), from a Xavier normal
    distribution, `start_transitions` and `end_transitions`, (L,), from a standard normal one. The callback
    `frozen_transitions` can hold them at zero for a while.

    # Parameters

    num_tags : `int`
    constraints : `List[Tuple[int, int]]`, optional
        As in `TagDistribution`.
    include_start_end_transitions : `bool`, optional (default = `True`)
        Whether there are parameters for the start and the end of a sentence.
    constrain_partition : `bool`, optional (default = `False`)
        Whether the partition function and the marginals, too, leave out sequences that violate the constraints. A gold
        sequence that violates them then has a log-likelihood of about `VIOLATION` for each violation, not of minus
        infinity: one bad annotation must not end a training run.
    constrain_decoding : `bool`, optional (default = `True`)
        Whether only sequences that keep the constraints are decoded. If not, the constraints have no effect, and
        decoded sequences may be ill-formed; with `constrain_partition` this raises `ConfigurationError`.
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

        # 0 where a transition is allowed, else -inf. It follows from the arguments, so it need not be saved.
        is_constrained = constraints is not None and constrain_decoding
        penalties = torch.full((num_tags + 2, num_tags + 2), float("-inf") if is_constrained else 0.0)
        for source, target in constraints or ():
            penalties[source, target] = 0.0
        self.register_buffer("_penalties", penalties, persistent=False)

    @classmethod
    def from_scores(cls, scores: torch.Tensor, temperature: float = 1.0) -> "ConditionalRandomField":
        """Returns a CRF with fixed scores of transitions, (L + 2, L + 2), as `transition_scores` returns them."""
        # The scores of forbidden transitions are not known: sequences with them have no share.
        crf = cls(len(scores) - 2, constrain_partition=True)
        crf.temperature = temperature
        finite = scores.masked_fill(scores.isneginf(), 0.0)
        parts = (crf.transitions, crf.start_transitions, crf.end_transitions)
        for part, values in zip(parts, (finite[:-2, :-2], finite[-2, :-2], finite[:-2, -1]), strict=True):
            part.requires_grad_(False).copy_(values)
        crf.register_buffer("_penalties", scores - finite, persistent=False)
        return crf

    def path_score(self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        transitions, start, end = self._transitions(self._partition_penalty, self.temperature)
        # shape: (B, T - 1)
        between = transitions[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]
        # shape: (B,)
        ends = (start[tags[:, 0]] + end[at_last_token(tags, mask)]) * mask[:, 0]
        return super().path_score(logits, tags, mask) + between.sum(1) + ends

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        scores = self._transitions(self.VIOLATION if decodable else self._partition_penalty, self.temperature)
        return linear_chain.log_partition(self.scaled(logits), *scores, mask)

    @torch.no_grad()
    def transition_scores(self) -> torch.Tensor:
        scores = self._penalties.clone()
        scores[:-2, :-2], scores[-2, :-2], scores[:-2, -1] = self._transitions(float("-inf"))
        return scores

    @torch.no_grad()
    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        scores = self._transitions(float("-inf"))
        if top_k != 1:
            tags, path_scores = linear_chain.best_sequences(logits, *scores, mask, top_k)
            return tags, self.scaled(path_scores)
        tags, path_scores = linear_chain.best_sequence(logits, *scores, mask)
        return tags.unsqueeze(1), self.scaled(path_scores.unsqueeze(1))

    def log_marginals(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        scores = self._transitions(self._partition_penalty, self.temperature)
        return linear_chain.log_marginals(self.scaled(logits), *scores, mask)

    @torch.no_grad()
    def entropy(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        return linear_chain.entropy(self.scaled(logits), *self._transitions(self.VIOLATION, self.temperature), mask)

    @torch.no_grad()
    def entity_probabilities(
        self,
        logits: torch.Tensor,
        mask: torch.BoolTensor,
        tags: torch.Tensor,
        spans: torch.Tensor,
        continuation: torch.Tensor,
    ) -> torch.Tensor:
        scores = self._transitions(self.VIOLATION, self.temperature)
        return linear_chain.entity_probabilities(self.scaled(logits), *scores, mask, tags, spans, continuation)

    @property
    def _partition_penalty(self) -> float:
        return self.VIOLATION if self.constrain_partition else 0.0

    def _transitions(
        self, violation: float, temperature: float = 1.0
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns transitions (L, L), from the start and to the end (L,), with `violation` added where not allowed."""
        penalties = self._penalties.clamp(min=violation)
        tags, start, end = slice(self.num_tags), self.num_tags, self.num_tags + 1
        return (
            self.transitions / temperature + penalties[tags, tags],
            self.start_transitions / temperature + penalties[start, tags],
            self.end_transitions / temperature + penalties[tags, end],
        )


@TagDistribution.register("softmax")
class SoftmaxDistribution(TagDistribution):
    """
    Tags that are independent of each other given the logits: p(y | x) is the product of a softmax at every token. There
    are no transitions that could be constrained: decoded sequences may be ill-formed. Parameters as in
    `TagDistribution`; `constraints` are not used.
    """

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        # shape: (B, T); filled, not multiplied, because log Z of an impossible token is -inf
        at_tokens = torch.logsumexp(self.scaled(logits), dim=2).masked_fill(~mask, 0.0)
        return at_tokens.sum(1)

    def transition_scores(self) -> torch.Tensor:
        return torch.zeros(self.num_tags + 2, self.num_tags + 2)

    @torch.no_grad()
    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns sequences and scores as in `TagDistribution`; of equal tags the first is the best."""
        if top_k == 1:
            tags = logits.argmax(2) * mask
            return tags.unsqueeze(1), self.path_score(logits, tags, mask).unsqueeze(1)
        # A sequence among the k best has at each token one of its k best tags, after one of the k best beginnings.
        # shape: (B, T, C) both, C = min(k, L)
        candidates, tags = at_least_float32(logits).topk(min(top_k, self.num_tags))
        # shape: (B, k), the score of the one beginning without tokens
        scores = pad(candidates.new_zeros(len(logits), 1), (0, top_k - 1), value=float("-inf"))
        stay = torch.arange(top_k, device=logits.device)
        origins, ranks = [], []
        for candidate, is_word in zip(candidates.unbind(1), mask.unsqueeze(2).unbind(1), strict=True):
            # shape: (B, k) both, and state = beginning * C + rank of the tag
            longer, state = (scores.unsqueeze(2) + candidate.unsqueeze(1)).flatten(1).topk(top_k)
            scores = torch.where(is_word, longer, scores)
            origins.append(torch.where(is_word, state // candidate.size(1), stay))
            ranks.append(state % candidate.size(1))

        best, beginning = [], stay.expand_as(scores)
        for origin, rank, ranked_tags in zip(origins[::-1], ranks[::-1], tags.unbind(1)[::-1], strict=True):
            best.append(ranked_tags.gather(1, rank.gather(1, beginning)))
            beginning = origin.gather(1, beginning)
        # shape: (B, k, T)
        sequences = torch.stack(best[::-1], dim=2)
        return sequences * (mask.unsqueeze(1) & (scores > float("-inf")).unsqueeze(2)), self.scaled(scores)

    def log_marginals(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        return self.scaled(logits).log_softmax(2).masked_fill(~mask.unsqueeze(2), 0.0)

    @torch.no_grad()
    def entropy(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the sum of the entropies of the tags, (B,)."""
        at_tokens = torch.special.entr(self.scaled(logits).double().softmax(2)).sum(2).masked_fill(~mask, 0.0)
        return at_tokens.sum(1).to(at_least_float32(logits).dtype)

    @torch.no_grad()
    def entity_probabilities(
        self,
        logits: torch.Tensor,
        mask: torch.BoolTensor,
        tags: torch.Tensor,
        spans: torch.Tensor,
        continuation: torch.Tensor,
    ) -> torch.Tensor:
        rows, starts, ends = spans.unbind(1)
        log_probabilities = self.scaled(logits).double().log_softmax(2)
        # shape: (B, T + 1), the sum over the tokens before
        on_path = pad(log_probabilities.gather(2, tags.unsqueeze(2)).squeeze(2).clamp(min=IMPOSSIBLE).cumsum(1), (1, 0))
        probabilities = (on_path[rows, ends] - on_path[rows, starts]).exp()
        # shape: (B, T + 1, L), the probabilities of following tags, zero after the last token
        following = pad(log_probabilities.exp() * mask.unsqueeze(2), (0, 0, 0, 1))
        prolonged = following[rows, ends, continuation.clamp(min=0)] * (continuation >= 0)
        return (probabilities * (1 - prolonged)).to(at_least_float32(logits).dtype)

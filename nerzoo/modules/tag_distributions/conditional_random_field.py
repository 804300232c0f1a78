from typing import List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.nn import fused_crf, linear_chain
from nerzoo.nn.linear_chain import at_last_token
from nerzoo.nn.numerics import at_least_float32


@TagDistribution.register("crf")
class ConditionalRandomField(TagDistribution):
    """
    A linear-chain conditional random field, whose recursions over the tokens are in `nerzoo.nn.linear_chain`. On a GPU
    log Z and the best sequence are one kernel each; see `nerzoo.nn.fused_crf`. Logits and transitions are divided by
    the temperature everywhere but in the search for the best sequences, which do not depend on it.

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
        logits = self.scaled(logits)
        if fused_crf.fits(logits):
            return fused_crf.log_partition(*_in_one_dtype(logits, *scores), mask.sum(1))[0]
        return linear_chain.log_partition(logits, *scores, mask)

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
        if fused_crf.fits(logits):
            tags, path_scores = fused_crf.viterbi(*_in_one_dtype(logits, *scores), mask.sum(1))
        else:
            tags, path_scores = linear_chain.best_sequence(logits, *scores, mask)
        return tags.unsqueeze(1), self.scaled(path_scores.unsqueeze(1))

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


def _in_one_dtype(logits: torch.Tensor, *scores: torch.Tensor) -> List[torch.Tensor]:
    """Returns all scores in the precision of the logits, but in float32 at least."""
    logits = at_least_float32(logits)
    return [logits, *(score.to(logits.dtype) for score in scores)]

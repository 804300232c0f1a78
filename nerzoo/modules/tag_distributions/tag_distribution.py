from typing import List, Optional, Tuple

import torch
from allennlp.common import Registrable

from nerzoo.nn.numerics import at_least_float32


class TagDistribution(torch.nn.Module, Registrable):
    """
    A distribution over the tag sequences of a sentence, given a score for every tag of every token:

        p(y | x) = exp(score(x, y)) / Z(x),    Z(x) = sum of exp(score(x, y)) over all y.

    Scores are divided by the `temperature`, 1 unless a head sets it: above 1 the model is less sure of its predictions,
    below it surer (Guo et al., "On Calibration of Modern Neural Networks", 2017, section 4.2). The predictions stay the
    same.

    A subclass defines `path_score`, `log_partition`, `viterbi`, `transition_scores`, `entropy` and
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

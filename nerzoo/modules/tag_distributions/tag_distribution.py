from typing import List, Optional, Tuple

import torch
from allennlp.common import Registrable

from nerzoo.nn.numerics import at_least_float32


class TagDistribution(torch.nn.Module, Registrable):
    """
    A distribution over the tag sequences of a sentence, given a score for every tag of every token:

        p(y | x) = exp(score(x, y)) / Z(x),    Z(x) = sum of exp(score(x, y)) over all y.

    All scores are those of a model divided by the `temperature`, 1 unless a head says otherwise: above 1 the model is
    less sure of what it finds, below it surer (Guo et al., "On Calibration of Modern Neural Networks", 2017, section
    4.2). What it finds stays the same.

    A subclass says what `path_score`, `log_partition`, `viterbi` and `entity_probabilities` are; the marginals are the
    gradient of log Z, and the probability of an event is Z summed over the sequences in which the event happens,
    divided by Z over all sequences.

    B sentences, T tokens, L tags, S entities. Masks are `True` at real tokens, which stand at the left. Whatever is
    returned for padding is zero; a sentence of padding alone has one tag sequence, the empty one, of score 0. The
    computation is in the precision of the logits, but in float32 at least.

    # Parameters

    num_tags : `int`
        L.
    constraints : `List[Tuple[int, int]]`, optional
        The transitions that are allowed, `(from, to)`, L being the start and L + 1 the end of a sentence: what
        AllenNLP's `allowed_transitions` returns. Without it all are. A subclass without transitions has no use for it.
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
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        tags : `torch.LongTensor`, (B, T)
        mask : `torch.BoolTensor`, (B, T)

        # Returns

        `torch.Tensor`, (B,)
            The score of the sequences `tags`: here, the sum of the logits on the path.
        """
        # shape: (B, T)
        on_path = self.scaled(logits).gather(2, tags.unsqueeze(2)).squeeze(2)
        return (on_path * mask).sum(1)

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        mask : `torch.BoolTensor`, (B, T)
        decodable : `bool`, optional (default = `False`)
            Whether to sum over those sequences only that `viterbi` can return.

        # Returns

        `torch.Tensor`, (B,)
            log Z.
        """
        raise NotImplementedError

    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        mask : `torch.BoolTensor`, (B, T)
        top_k : `int`, optional (default = `1`)
            k, how many sequences to return.

        # Returns

        `Tuple[torch.LongTensor, torch.Tensor]`, (B, k, T) and (B, k)
            The k best tag sequences and their scores, best first.
        """
        raise NotImplementedError

    def transition_scores(self) -> torch.Tensor:
        """
        Returns the scores of tags after tags, (L + 2, L + 2), from the tag of the row to that of the column, L being
        the start and L + 1 the end of a sentence; minus infinity where `viterbi` does not allow one. They are not
        divided by the temperature.
        """
        raise NotImplementedError

    def log_likelihood(self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        tags : `torch.LongTensor`, (B, T)
        mask : `torch.BoolTensor`, (B, T)

        # Returns

        `torch.Tensor`, (B,)
            log p(tags | logits) of every sentence.
        """
        return self.path_score(logits, tags, mask) - self.log_partition(logits, mask)

    def marginals(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        mask : `torch.BoolTensor`, (B, T)

        # Returns

        `torch.Tensor`, (B, T, L)
            The probability of every tag at every token. It is detached from the graph of `logits`.
        """
        with torch.enable_grad():
            logits = at_least_float32(logits).detach().requires_grad_()
            (gradient,) = torch.autograd.grad(self.log_partition(logits, mask).sum(), logits)
        # What the partition function sums over are scaled logits.
        return gradient * self.temperature

    def entropy(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        mask : `torch.BoolTensor`, (B, T)

        # Returns

        `torch.Tensor`, (B,)
            The entropy, in nats, of the tag sequence of each sentence, among those that can be decoded: minus the sum
            of p(y | x) log p(y | x) over all y.
        """
        raise NotImplementedError

    @torch.no_grad()
    def decodable_log_likelihood(
        self, logits: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor
    ) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        tags : `torch.LongTensor`, (B, T)
            As decoded, or others that can be decoded.
        mask : `torch.BoolTensor`, (B, T)

        # Returns

        `torch.Tensor`, (B,)
            The logarithm of the probability of the sequences `tags` among those that can be decoded, in double
            precision, since it is the difference of two numbers that may be large.
        """
        relative = logits.double() - logits.amax(2, keepdim=True).double()
        log_probability = self.path_score(relative, tags, mask) - self.log_partition(relative, mask, decodable=True)
        # A single share may exceed the whole by rounding.
        return log_probability.clamp(max=0.0)

    def best_probability(self, logits: torch.Tensor, mask: torch.BoolTensor, tags: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        mask : `torch.BoolTensor`, (B, T)
        tags : `torch.LongTensor`, (B, T)
            As decoded.

        # Returns

        `torch.Tensor`, (B,)
            The probability of the sequences `tags` among those that can be decoded.
        """
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
        The probability, among the sequences that can be decoded, that the tags of an entity are as decoded, and that
        the entity ends where it was decoded to end.

        # Parameters

        logits : `torch.Tensor`, (B, T, L)
        mask : `torch.BoolTensor`, (B, T)
        tags : `torch.LongTensor`, (B, T)
            As decoded.
        spans : `torch.LongTensor`, (S, 3)
            Each entity's sentence, start and end, the end exclusive.
        continuation : `torch.LongTensor`, (S,)
            The tag that would prolong the entity at position `end`, I-X in BIO; -1 where no tag would, as in BIOUL.

        # Returns

        `torch.Tensor`, (S,)
            Computed in double precision, since it is the quotient of two numbers that may be next to nothing.
        """
        raise NotImplementedError

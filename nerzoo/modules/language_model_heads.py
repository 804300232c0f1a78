import math
from typing import List, Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import cross_entropy, embedding, logsigmoid

from nerzoo.errors import check_range
from nerzoo.nn.numerics import at_least_float32

POSITIONS_AT_A_TIME = 512
"""The number of positions whose probabilities of all words are in memory at the same time."""


class LanguageModelHead(torch.nn.Module, Registrable):
    """
    The output layer of a language model: a distribution over all words, given the vector of a history, and the loss by
    which the distribution is learned, which may be cheaper to compute. There are N positions, vectors of size H and W
    words, which are numbered from 0, the most frequent first. Constructors take `input_size`, H, and `num_words`, W.
    """

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Returns the mean loss over the positions, given histories (N, H) and the words that follow them (N,)."""
        raise NotImplementedError

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        """Maps vectors (N, H) to log-probabilities (N, W) of all words, whose probabilities sum to one."""
        raise NotImplementedError

    def target_log_probabilities(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Returns the `log_probabilities` of the targets alone, (N,)."""
        pieces = zip(inputs.split(POSITIONS_AT_A_TIME), targets.split(POSITIONS_AT_A_TIME), strict=True)
        return torch.cat([self.log_probabilities(x).gather(1, y.unsqueeze(1)).squeeze(1) for x, y in pieces])


@LanguageModelHead.register("softmax")
class SoftmaxHead(LanguageModelHead):
    """A softmax over all words, learned by cross-entropy. Parameters as in `LanguageModelHead`."""

    def __init__(self, input_size: int, num_words: int) -> None:
        super().__init__()
        self.word_projection = torch.nn.Linear(input_size, num_words)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return cross_entropy(self._scores(inputs), targets)

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        return self._scores(inputs).log_softmax(1)

    def _scores(self, inputs: torch.Tensor) -> torch.Tensor:
        return at_least_float32(self.word_projection(inputs))


@LanguageModelHead.register("adaptive_softmax")
class AdaptiveSoftmaxHead(LanguageModelHead):
    """
    The adaptive softmax (Grave et al., "Efficient softmax approximation for GPUs", 2017), learned by cross-entropy: a
    fast distribution over all words. Frequent words share one softmax with a word for each cluster of rarer words. Each
    cluster has a softmax of its own over a projection, which is smaller the rarer its words are.

    # Parameters

    input_size, num_words : `int`
        H and W.
    cutoffs : `List[int]`
        The first word of each cluster, in order, between 0 and W; other or no cutoffs raise `ConfigurationError`.
    div_value : `float`, optional (default = `4.0`)
        The factor by which the projection of each cluster is smaller than the one before it.
    """

    def __init__(self, input_size: int, num_words: int, cutoffs: List[int], div_value: float = 4.0) -> None:
        super().__init__()
        bounds = [0, *cutoffs, num_words]
        if not cutoffs or any(first >= second for first, second in zip(bounds, bounds[1:], strict=False)):
            raise ConfigurationError(
                f"adaptive_softmax: found the cutoffs {cutoffs}, expected at least one, in ascending order, above 0 "
                f"and below the number of words, which is {num_words}"
            )
        self.clusters = torch.nn.AdaptiveLogSoftmaxWithLoss(input_size, num_words, cutoffs, div_value)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return -self.target_log_probabilities(inputs, targets).mean()

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        with torch.autocast(inputs.device.type, enabled=False):
            return self.clusters.log_prob(inputs.to(self.clusters.head.weight.dtype))

    def target_log_probabilities(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        # torch/nn/modules/adaptive.py, AdaptiveLogSoftmaxWithLoss.forward: collects outputs of autocast's type in a
        # tensor of the type of its inputs. Clusters without a target are not computed.
        with torch.autocast(inputs.device.type, enabled=False):
            return self.clusters(inputs.to(self.clusters.head.weight.dtype), targets).output


@LanguageModelHead.register("nce")
class NceHead(LanguageModelHead):
    """
    Noise contrastive estimation (Xu, 2017, section 2.3.1): the model learns to tell the word w that follows a history c
    from k words drawn from the unigram distribution of the training data. With the score s(w, c) of a linear layer and
    p(w, c) = exp(s(w, c)) / Z, whose Z is a constant in place of the sum over all words,

        p(D = 1 | c, w) = p(w, c) / (p(w, c) + k p_uni(w)),    p(D = 0 | c, w) = 1 - p(D = 1 | c, w)    (equation 2.15)

    the objective for w and the drawn words w_1 ... w_k is to maximise

        log p(D = 1 | c, w) + sum_i log p(D = 0 | c, w_i)    (equation 2.16, whose first D = 0 is a misprint)

    All positions of a batch share the drawn words. Only the training loss uses Z: `log_probabilities` are normalised.
    A word of the vocabulary that does not occur in the training data, such as the unknown word, has the count 1.

    # Parameters

    input_size, num_words, num_noise : `int`
        H, W and k. With k below one it raises `ConfigurationError`.
    ln_z : `float`
        ln Z.
    sparse : `bool`, optional (default = `False`)
        Whether gradients are sparse, with rows for the targets and the drawn words only. Only optimizers without
        momentum and weight decay take sparse gradients.
    word_counts : `torch.LongTensor`, optional
        Shape (W,). The counts of the words in the training data. Without them, training raises `ConfigurationError`,
        unless the head was loaded.
    """

    word_counts: torch.Tensor

    def __init__(
        self,
        input_size: int,
        num_words: int,
        num_noise: int,
        ln_z: float,
        sparse: bool = False,
        word_counts: Optional[torch.Tensor] = None,
    ) -> None:
        super().__init__()
        check_range("num_noise", num_noise, 1)
        self.num_noise = num_noise
        self.ln_z = ln_z
        self.sparse = sparse
        self.weight = torch.nn.Parameter(torch.empty(num_words, input_size))
        # It has two dimensions so that its gradient can be sparse, too.
        self.bias = torch.nn.Parameter(torch.zeros(num_words, 1))
        torch.nn.init.xavier_uniform_(self.weight)
        counts = torch.zeros(num_words, dtype=torch.long) if word_counts is None else word_counts
        # All zeros mean that there are no counts.
        self.register_buffer("word_counts", counts.clamp(min=1) if counts.any() else counts)
        self._has_counts = False

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Returns the loss as in `LanguageModelHead`; each position has the sum over the k drawn words."""
        words = torch.cat([targets, self._draw()])
        weight = at_least_float32(embedding(words, self.weight, sparse=self.sparse))
        bias = at_least_float32(embedding(words, self.bias, sparse=self.sparse)).squeeze(1)
        inputs = at_least_float32(inputs)
        sizes = [len(targets), self.num_noise]
        (target_weight, noise_weight), (target_bias, noise_bias) = weight.split(sizes), bias.split(sizes)
        # ln(Z k p_uni): p(w, c) / (k p_uni(w)) is exp(s(w, c)) divided by its exponential.
        counts = self.word_counts.to(inputs.dtype)
        offsets = self.ln_z + math.log(self.num_noise) + (counts[words] / counts.sum()).log()
        target_offsets, noise_offsets = offsets.split(sizes)
        # shape: (N,) and (N, k)
        target_odds = (inputs * target_weight).sum(1) + target_bias - target_offsets
        noise_odds = torch.addmm(noise_bias - noise_offsets, inputs, noise_weight.t())
        return -(logsigmoid(target_odds).sum() + logsigmoid(-noise_odds).sum()) / len(targets)

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        scores = torch.nn.functional.linear(inputs, self.weight, self.bias.squeeze(1))
        return at_least_float32(scores).log_softmax(1)

    def _draw(self) -> torch.Tensor:
        """Draws the k words of noise, shape (k,)."""
        if not self._has_counts:
            if not self.word_counts.any():
                raise ConfigurationError(
                    "nce: found no counts of words, expected a vocabulary made from training data or a trained model"
                )
            self._has_counts = True
        # Inversion: `torch.multinomial` is slower and takes no more than 2^24 words.
        cumulative = self.word_counts.cumsum(0)
        points = torch.rand(self.num_noise, dtype=torch.float64, device=cumulative.device) * cumulative[-1]
        return torch.searchsorted(cumulative, points.long(), right=True)

import math
from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import embedding, logsigmoid

from nerzoo.modules.language_model_heads.language_model_head import LanguageModelHead
from nerzoo.nn.precision import at_least_float32


@LanguageModelHead.register("nce")
class NceHead(LanguageModelHead):
    """
    Noise contrastive estimation (Xu, 2017, section 2.3.1): the model learns to tell the word w that follows a history c
    from k words drawn from the unigram distribution of the training data. With the score s(w, c) of a linear layer and
    p(w, c) = exp(s(w, c)) / Z, whose Z is a constant in place of the sum over all words,

        p(D = 1 | c, w) = p(w, c) / (p(w, c) + k p_uni(w)),    p(D = 0 | c, w) = 1 - p(D = 1 | c, w)    (equation 2.15)

    the objective for w and the drawn words w_1 ... w_k is to maximise

        log p(D = 1 | c, w) + sum_i log p(D = 0 | c, w_i)    (equation 2.16, whose first D = 0 is a misprint)

    All positions of a batch share the drawn words. Z belongs to the training loss alone: `log_probabilities` are
    normalised.

    A word of the vocabulary that does not occur in the training data, such as the unknown word, counts as found once.

    # Parameters

    input_size : `int`
        H.
    num_words : `int`
        W.
    num_noise : `int`
        k.
    ln_z : `float`
        ln Z.
    sparse : `bool`, optional (default = `False`)
        Whether gradients are sparse: they have rows for the targets and the drawn words alone. Only optimizers without
        momentum and weight decay take sparse gradients.
    word_counts : `torch.LongTensor`, optional
        Shape (W,). The counts of the words in the training data. Without them the head has to be loaded before it
        trains.

    # Raises

    `ConfigurationError` where k is below one, or, in training, without counts.
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
        super().__init__(input_size, num_words)
        if num_noise < 1:
            raise ConfigurationError(f"nce: found num_noise = {num_noise}, expected one word of noise at least")
        self.num_noise = num_noise
        self.ln_z = ln_z
        self.sparse = sparse
        self.weight = torch.nn.Parameter(torch.empty(num_words, input_size))
        # Of two dimensions, for its gradient to be sparse, too.
        self.bias = torch.nn.Parameter(torch.zeros(num_words, 1))
        torch.nn.init.xavier_uniform_(self.weight)
        counts = torch.zeros(num_words, dtype=torch.long) if word_counts is None else word_counts
        # Zero throughout is without counts.
        self.register_buffer("word_counts", counts.clamp(min=1) if counts.any() else counts)
        self._has_counts = False

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Works as in `LanguageModelHead`; the loss of a position is summed over the k drawn words."""
        words = torch.cat([targets, self._draw()])
        weight = at_least_float32(embedding(words, self.weight, sparse=self.sparse))
        bias = at_least_float32(embedding(words, self.bias, sparse=self.sparse)).squeeze(1)
        inputs = at_least_float32(inputs)
        sizes = [len(targets), self.num_noise]
        (target_weight, noise_weight), (target_bias, noise_bias) = weight.split(sizes), bias.split(sizes)
        # ln(Z k p_uni), which p(w, c) / (k p_uni(w)) is exp(s(w, c)) over
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
        # By inversion; `torch.multinomial` takes no more than 2^24 words, and longer.
        cumulative = self.word_counts.cumsum(0)
        points = torch.rand(self.num_noise, dtype=torch.float64, device=cumulative.device) * cumulative[-1]
        return torch.searchsorted(cumulative, points.long(), right=True)

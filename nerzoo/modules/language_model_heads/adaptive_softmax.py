from typing import List

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.language_model_heads.language_model_head import LanguageModelHead


@LanguageModelHead.register("adaptive_softmax")
class AdaptiveSoftmaxHead(LanguageModelHead):
    """
    The adaptive softmax (Grave et al., "Efficient softmax approximation for GPUs", 2017), learned by cross-entropy:
    frequent words share one softmax with a word for each cluster of rarer ones, which have a softmax of their own, over
    a projection that is smaller the rarer they are. It is a distribution over all words, and a fast one.

    # Parameters

    input_size : `int`
    num_words : `int`
        W.
    cutoffs : `List[int]`
        The first word of each cluster, in order.
    div_value : `float`, optional (default = `4.0`)
        The factor by which the projection of each cluster is smaller than the one before it.

    # Raises

    `ConfigurationError` where there are no cutoffs, they are not in order, or one is not between 0 and W.
    """

    def __init__(self, input_size: int, num_words: int, cutoffs: List[int], div_value: float = 4.0) -> None:
        super().__init__(input_size, num_words)
        bounds = [0, *cutoffs, num_words]
        if not cutoffs or any(first >= second for first, second in zip(bounds, bounds[1:], strict=False)):
            raise ConfigurationError(
                f"adaptive_softmax: found the cutoffs {cutoffs}, expected at least one, in ascending order, above 0 "
                f"and below the number of words, which is {num_words}"
            )
        self.clusters = torch.nn.AdaptiveLogSoftmaxWithLoss(input_size, num_words, cutoffs, div_value)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return self.clusters(inputs, targets).loss

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.clusters.log_prob(inputs)

    def target_log_probabilities(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Works as in `LanguageModelHead`, without computing clusters that have no target."""
        return self.clusters(inputs, targets).output

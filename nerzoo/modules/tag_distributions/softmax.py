from typing import Tuple

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.nn.precision import at_least_float32


@TagDistribution.register("softmax")
class SoftmaxDistribution(TagDistribution):
    """
    Tags that are independent of each other given the logits: p(y | x) is the product of a softmax at every token.

    It has no parameters, and no transitions that could be constrained: what it decodes may be ill-formed.

    # Parameters

    num_tags : `int`
        L.
    constraints : `List[Tuple[int, int]]`, optional
        Not used.
    """

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        # shape: (B, T); filled, not multiplied, because log Z of an impossible token is -inf
        at_tokens = torch.logsumexp(at_least_float32(logits), dim=2).masked_fill(~mask, 0.0)
        return at_tokens.sum(1)

    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.LongTensor, torch.Tensor]:
        """
        As in `TagDistribution`: the best tag of every token, the first among equals. Raises `ConfigurationError` where
        `top_k` is not 1, since only the best sequence can be had.
        """
        if top_k != 1:
            raise ConfigurationError(
                f"SoftmaxDistribution decodes the best sequence only, not the {top_k} best; use a CRF."
            )
        tags = logits.argmax(2) * mask
        return tags.unsqueeze(1), self.path_score(logits, tags, mask).unsqueeze(1)

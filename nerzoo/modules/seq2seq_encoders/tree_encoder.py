from typing import Optional, Tuple

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.nn.trees import TreeLevels


class TreeEncoder(Seq2SeqEncoder):
    """
    A `Seq2SeqEncoder` that sees the dependency tree of each sentence: its `forward` takes `heads` as well.
    """

    context: Tuple[str, ...] = ("heads", "levels")
    """The fields of instances that `forward` reads beside inputs and mask; see `encoder_context`."""

    def forward(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        heads: torch.Tensor,
        levels: Optional[TreeLevels] = None,
    ) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape (B, T, D).
        mask : `torch.BoolTensor`
            Shape (B, T). True = real token.
        heads : `torch.LongTensor`
            Shape (B, T). The position of each token's head, counted from 1; 0 is the root. Several roots are legal.
        levels : `TreeLevels`, optional
            The levels of the same trees, as `LevelsField` gives them. Without them the encoder finds them itself, for
            which a GPU has to be waited for.

        # Returns

        `torch.Tensor`
            Shape (B, T, H), zero at padding.
        """
        raise NotImplementedError

    def is_bidirectional(self) -> bool:
        return False

    def root_state(self, outputs: torch.Tensor, mask: torch.BoolTensor, heads: torch.Tensor) -> torch.Tensor:
        """
        The mean of `outputs` (B, T, H) over the roots of each sentence, shape (B, H); zero where there is none.
        """
        roots = (mask & (heads == 0)).unsqueeze(-1).to(outputs.dtype)
        return (outputs * roots).sum(1) / roots.sum(1).clamp_min(1)

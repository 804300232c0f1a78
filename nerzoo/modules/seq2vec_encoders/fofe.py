from typing import Optional

import torch
from allennlp.modules import Seq2VecEncoder

from nerzoo.modules.seq2seq_encoders.encoder import Sized
from nerzoo.nn.fofe import check_alpha, powers, reading_orders


@Seq2VecEncoder.register("fofe")
class FofeSeq2VecEncoder(Sized, Seq2VecEncoder):
    """
    The FOFE code of a whole sequence (Xu, 2017, equation 3.1), a sum with weights alpha^k, k being the distance from
    the end for the forward code and from the beginning for the backward code. Nothing is learned.

    # Parameters

    embedding_dim : `int`
        D.
    alpha : `float`
        The forgetting factor. Outside (0, 1] it raises `ConfigurationError`.
    direction : `str`
        `"forward"`, `"backward"` or `"both"`, the forward code first.
    """

    def __init__(self, embedding_dim: int, alpha: float, direction: str) -> None:
        check_alpha(alpha)
        orders = reading_orders(direction)
        super().__init__(embedding_dim, embedding_dim * len(orders))
        self.alpha = alpha
        self.reading_orders = orders

    def forward(self, tokens: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to codes (B, D), or (B, 2D) in both directions, zero without tokens."""
        if mask is None:
            mask = torch.ones(tokens.shape[:2], dtype=torch.bool, device=tokens.device)
        # AllenNLP's `character_encoding` makes masks of integers.
        mask = mask.bool()
        length = mask.shape[1]
        from_beginning = torch.arange(length, device=mask.device).expand_as(mask)
        from_end = (mask.sum(1, keepdim=True) - 1 - from_beginning).clamp_min(0)
        distances = [from_beginning if reverse else from_end for reverse in self.reading_orders]
        # shape: (B, 1 or 2, T)
        weights = powers(self.alpha, length, tokens)[torch.stack(distances, 1)]
        return (weights @ tokens.masked_fill(~mask.unsqueeze(-1), 0)).flatten(1)

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.nn.fofe import check_alpha, fofe_encode, reading_orders


@Seq2SeqEncoder.register("fofe")
class FofeSeq2SeqEncoder(Seq2SeqEncoder):
    """
    The context of each word as FOFE codes (Xu, 2017, sections 3.4 and 5.2.1): that of the words up to it, its left
    context, and that of the words from the end back to it, its right context. The word itself, which has weight 1, is
    in both. Nothing is learned.

    # Parameters

    input_size : `int`
        D.
    alpha : `float`
        The forgetting factor, in (0, 1]: a word at a distance of k has weight alpha^k.
    direction : `str`
        `"forward"`, the left contexts; `"backward"`, the right ones; `"both"`, the left ones first.

    # Raises

    `ConfigurationError` where alpha is outside (0, 1] or the direction is none of those above.
    """

    def __init__(self, input_size: int, alpha: float, direction: str) -> None:
        super().__init__()
        check_alpha(alpha)
        self.input_size = input_size
        self.alpha = alpha
        self.reading_orders = reading_orders(direction)

    def get_input_dim(self) -> int:
        return self.input_size

    def get_output_dim(self) -> int:
        return self.input_size * len(self.reading_orders)

    def is_bidirectional(self) -> bool:
        return len(self.reading_orders) == 2

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Inputs (B, T, D) and mask (B, T) to codes (B, T, D), or (B, T, 2D) in both directions, zero at padding."""
        return torch.cat([fofe_encode(inputs, self.alpha, mask, reverse) for reverse in self.reading_orders], -1)

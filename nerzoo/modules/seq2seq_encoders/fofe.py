"""Encoders of the contexts of words as FOFE codes, without parameters to learn; see `nerzoo.nn.fofe`."""

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.errors import check_range
from nerzoo.modules.seq2seq_encoders.encoder import SizedEncoder
from nerzoo.nn.fofe import check_alpha, fofe_encode, reading_orders


@Seq2SeqEncoder.register("fofe")
class FofeSeq2SeqEncoder(SizedEncoder):
    """
    Encodes the contexts of each word (Xu, 2017, sections 3.4 and 5.2.1): the words up to it, its left context, and the
    words from the end back to it, its right context. The word itself, which has weight 1, is in both.

    # Parameters

    input_size : `int`
        D.
    alpha : `float`
        The forgetting factor: a word at a distance of k has weight alpha^k. Outside (0, 1] it raises
        `ConfigurationError`.
    direction : `str`
        `"forward"`, the left contexts; `"backward"`, the right ones; `"both"`, the left ones first.
    """

    def __init__(self, input_size: int, alpha: float, direction: str) -> None:
        check_alpha(alpha)
        orders = reading_orders(direction)
        super().__init__(input_size, input_size * len(orders))
        self.alpha = alpha
        self.reading_orders = orders
        self.bidirectional = len(orders) == 2

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to codes (B, T, D), in both directions (B, T, 2D), zero at padding."""
        return torch.cat([fofe_encode(inputs, self.alpha, mask, reverse) for reverse in self.reading_orders], -1)


@Seq2SeqEncoder.register("fofe_streams")
class FofeStreams(SizedEncoder):
    """
    Encodes the histories of a FOFE language model (Xu, 2017, section 4.1): position t has the codes of n streams.
    The first stream is x_1 ... x_t, and each further one is one position behind: x_1 ... x_(t-1), and so on. x_1, which
    is to be the start symbol, also stands at all positions before it, so that no stream is ever short.

    With a forgetting factor of zero the code of a stream is its last element, and the encoder gives a feed-forward
    network the history of an (n + 1)-gram model: the thesis's bigram model for n = 1.

    # Parameters

    input_size : `int`
        D.
    alpha : `float`
        The forgetting factor. Outside [0, 1] it raises `ConfigurationError`.
    order : `int`, optional (default = `1`)
        n. Below one it raises `ConfigurationError`.
    """

    def __init__(self, input_size: int, alpha: float, order: int = 1) -> None:
        check_range("forgetting factor alpha", alpha, 0, 1)
        check_range("order", order, 1)
        super().__init__(input_size, order * input_size)
        self.alpha = alpha
        self.order = order

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to codes (B, T, nD), the latest stream first, zero at padding."""
        streams = [inputs]
        for _ in range(self.order - 1):
            streams.append(torch.cat([inputs[:, :1], streams[-1][:, :-1]], 1))
        elements = torch.cat(streams, -1)
        if self.alpha == 0:
            return elements * mask.unsqueeze(-1)
        return fofe_encode(elements, self.alpha, mask)

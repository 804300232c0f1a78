import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder

from nerzoo.nn.fofe import fofe_encode


@Seq2SeqEncoder.register("fofe_streams")
class FofeStreams(Seq2SeqEncoder):
    """
    Encodes the histories of a FOFE language model (Xu, 2017, section 4.1): position t has the codes of n streams.
    The first stream is x_1 ... x_t, each further one the one before it, later by one position: x_1 ... x_(t-1), and so
    on. x_1, which is to be the start symbol, also stands at all positions before it, so that no stream is ever short.

    With a forgetting factor of zero the code of a stream is its last element, and the encoder gives a feed-forward
    network the history of an (n + 1)-gram model: the thesis's bigram model for n = 1.

    # Parameters

    input_size : `int`
        D.
    alpha : `float`
        The forgetting factor, in [0, 1].
    order : `int`, optional (default = `1`)
        n.

    # Raises

    `ConfigurationError` where alpha is outside [0, 1] or the order below one.
    """

    def __init__(self, input_size: int, alpha: float, order: int = 1) -> None:
        super().__init__()
        if not 0 <= alpha <= 1:
            raise ConfigurationError(f"fofe_streams: found alpha = {alpha}, expected a forgetting factor in [0, 1]")
        if order < 1:
            raise ConfigurationError(f"fofe_streams: found an order of {order}, expected one stream at least")
        self.input_size = input_size
        self.alpha = alpha
        self.order = order

    def get_input_dim(self) -> int:
        return self.input_size

    def get_output_dim(self) -> int:
        return self.order * self.input_size

    def is_bidirectional(self) -> bool:
        return False

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Inputs (B, T, D) and mask (B, T) to codes (B, T, nD), the most recent stream first, zero at padding."""
        streams = [inputs]
        for _ in range(self.order - 1):
            streams.append(torch.cat([inputs[:, :1], streams[-1][:, :-1]], 1))
        elements = torch.cat(streams, -1)
        if self.alpha == 0:
            return elements * mask.unsqueeze(-1)
        return fofe_encode(elements, self.alpha, mask)

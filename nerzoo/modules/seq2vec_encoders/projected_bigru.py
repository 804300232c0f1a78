import torch
from allennlp.modules import Seq2VecEncoder

from nerzoo.modules.seq2seq_encoders import BiGru


@Seq2VecEncoder.register("projected_bigru")
class ProjectedBiGru(Seq2VecEncoder):
    """
    Projects the last states of the directions of a GRU, h>_T of the forward and h<_1 of the backward direction, to one
    vector,

        tanh(W> h>_T + W< h<_1 + b),

    as Liu et al. (2017), section 4.2 and equation 3, encode the words of a post.

    # Parameters

    input_size : `int`
        D.
    hidden_size : `int`
        H, the size of either direction's states and of the output.
    dropout : `float`, optional (default = `0.0`)
        Dropout on inputs and outputs of the GRU.
    """

    def __init__(self, input_size: int, hidden_size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.gru = BiGru(input_size, hidden_size)
        self.projection = torch.nn.Linear(2 * hidden_size, hidden_size)
        self.dropout = torch.nn.Dropout(dropout)

    def get_input_dim(self) -> int:
        return self.gru.get_input_dim()

    def get_output_dim(self) -> int:
        return self.projection.out_features

    def forward(self, tokens: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Inputs (B, T, D) and mask (B, T) to outputs (B, H), zero where there is nothing but padding."""
        ahead, behind = self.gru(self.dropout(tokens), mask).chunk(2, -1)
        last = (mask.sum(1) - 1).clamp(min=0).view(-1, 1, 1)
        ends = torch.cat([ahead.take_along_dim(last, 1).squeeze(1), behind[:, 0]], -1)
        return self.projection(self.dropout(ends)).tanh() * mask[:, :1]

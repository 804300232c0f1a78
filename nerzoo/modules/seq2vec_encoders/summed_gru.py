import torch
from allennlp.modules import Seq2VecEncoder

from nerzoo.modules.seq2seq_encoders import BiGru
from nerzoo.nn.encode_by_length import encode_by_length


@Seq2VecEncoder.register("summed_gru")
class SummedGru(Seq2VecEncoder):
    """
    Sums the states of a bidirectional GRU and puts a layer on the sum (Dinarelli and Grobol, 2019, equation 1):

        FFNN(h_1 + ... + h_T),    FFNN(s) = max(0, W s + b),

    as Seq2Biseq encodes the characters of a word. The paper does not say how deep its FFNN is, nor which non-linear
    function it has. On a CPU it reads sequences of about the same length together.

    # Parameters

    embedding_dim : `int`
        D.
    hidden_size : `int`
        H, the size of the states of each direction.
    output_dim : `int`
        O.
    dropout : `float`, optional (default = `0.0`)
        Dropout on the inputs and on the sum of the states.
    """

    def __init__(self, embedding_dim: int, hidden_size: int, output_dim: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.gru = BiGru(embedding_dim, hidden_size)
        self.feedforward = torch.nn.Linear(2 * hidden_size, output_dim)
        self.dropout = torch.nn.Dropout(dropout)

    def get_input_dim(self) -> int:
        return self.gru.get_input_dim()

    def get_output_dim(self) -> int:
        return self.feedforward.out_features

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Inputs (B, T, D) and mask (B, T) to outputs (B, O), zero where there is nothing but padding."""
        # AllenNLP's `character_encoding` makes masks of integers.
        mask = mask.bool()
        if tokens.device.type == "cpu":
            total = encode_by_length(tokens, mask, self._sum_of_states, self.gru.get_output_dim(), multiple=4)
        else:
            total = self._sum_of_states(tokens, mask)
        return self.feedforward(self.dropout(total)).relu() * mask[:, :1]

    def _sum_of_states(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.gru(self.dropout(tokens), mask).sum(1)

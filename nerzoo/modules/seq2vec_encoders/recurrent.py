"""
Recurrent encoders of sequences, mostly words as sequences of characters. On a CPU, `bilstm` and `summed_gru` read
sequences of about the same length together, with little padding, which takes half the time or less of packed or
padded ones where they are as short as words. A GPU reads all of them at once and waits for nothing.
"""

from typing import Callable, cast

import torch
from allennlp.modules import Seq2VecEncoder

from nerzoo.modules.seq2seq_encoders.bidirectional import BiGru, BiLstm, reverse_sequences
from nerzoo.modules.seq2seq_encoders.encoder import Sized

_MULTIPLE = 4


def encode_by_length(
    tokens: torch.Tensor,
    mask: torch.Tensor,
    encode: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    output_size: int,
) -> torch.Tensor:
    """
    Maps sequences (B, T, D) and their mask (B, T) to outputs (B, O), O being `output_size`, zero for sequences of
    nothing but padding. Sequences whose lengths, rounded up to a multiple of four, are the same go together: `encode`
    maps N of them, of up to L tokens, (N, L, D) and their mask (N, L) to (N, O). For many sequences as short as words,
    this is faster on a CPU than packing them or padding all to one length, and than a group for each length.
    """
    lengths, order = mask.sum(1).add(_MULTIPLE - 1).div(_MULTIPLE, rounding_mode="floor").sort(stable=True)
    distinct, counts = lengths.unique_consecutive(return_counts=True)
    outputs = []
    for length, rows in zip(distinct.tolist(), order.split(counts.tolist()), strict=True):
        if length == 0:
            outputs.append(tokens.new_zeros(len(rows), output_size))
        else:
            end = length * _MULTIPLE
            outputs.append(encode(tokens[rows, :end], mask[rows, :end]))
    return torch.cat(outputs).index_select(0, order.argsort())


@Seq2VecEncoder.register("bilstm")
class BiLstmSeq2VecEncoder(Sized, Seq2VecEncoder):
    """
    Concatenates the last states of the directions of an LSTM, h>_T of the forward and h<_1 of the backward direction,
    as AllenNLP's bidirectional `lstm` does.

    # Parameters

    input_size, hidden_size : `int`
        D, and H, the size of the states of each direction.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__(input_size, 2 * hidden_size)
        self.lstm = BiLstm(input_size, hidden_size)

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to outputs (B, 2H), zero where there is nothing but padding."""
        # A trace would keep the lengths of one batch.
        if tokens.device.type == "cpu" and not torch.jit.is_tracing():
            return encode_by_length(tokens, mask, self._last_states, self.get_output_dim())
        return self._last_states(tokens, mask)

    def _last_states(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        last = (mask.sum(1) - 1).clamp_min(0).view(-1, 1, 1)
        ahead, _ = self.lstm.forward_network(tokens)
        behind, _ = self.lstm.backward_network(reverse_sequences(tokens, cast(torch.BoolTensor, mask.bool())))
        # The backward direction reads reversed sequences, so that the first word is its last one.
        states = torch.cat([ahead, behind], -1)
        return states.gather(1, last.expand(-1, -1, states.size(-1))).squeeze(1) * mask[:, :1]


@Seq2VecEncoder.register("projected_bigru")
class ProjectedBiGru(Sized, Seq2VecEncoder):
    """
    Projects the last states of the directions of a GRU, h>_T of the forward and h<_1 of the backward direction, to one
    vector,

        tanh(W> h>_T + W< h<_1 + b),

    as Liu et al. (2017), section 4.2 and equation 3, encode the words of a post.

    # Parameters

    input_size, hidden_size : `int`
        D, and H, the size of the states of each direction and of the output.
    dropout : `float`, optional (default = `0.0`)
        Dropout on inputs and outputs of the GRU.
    """

    def __init__(self, input_size: int, hidden_size: int, dropout: float = 0.0) -> None:
        super().__init__(input_size, hidden_size)
        self.gru = BiGru(input_size, hidden_size)
        self.projection = torch.nn.Linear(2 * hidden_size, hidden_size)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, tokens: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to outputs (B, H), zero where there is nothing but padding."""
        # AllenNLP masks characters by integers.
        mask = cast(torch.BoolTensor, mask.bool())
        ahead, behind = self.gru(self.dropout(tokens), mask).chunk(2, -1)
        last = (mask.sum(1) - 1).clamp(min=0).view(-1, 1, 1)
        # shape: (B, 2H)
        ends = torch.cat([ahead.take_along_dim(last, 1).squeeze(1), behind[:, 0]], -1)
        return self.projection(self.dropout(ends)).tanh() * mask[:, :1]


@Seq2VecEncoder.register("summed_gru")
class SummedGru(Sized, Seq2VecEncoder):
    """
    Sums the states of a bidirectional GRU and puts a layer on the sum (Dinarelli and Grobol, 2019, equation 1):

        FFNN(h_1 + ... + h_T),    FFNN(s) = max(0, W s + b),

    as Seq2Biseq encodes the characters of a word. The paper states neither the depth nor the non-linear function of its
    FFNN.

    # Parameters

    embedding_dim, hidden_size, output_dim : `int`
        D; H, the size of the states of each direction; and O.
    dropout : `float`, optional (default = `0.0`)
        Dropout on the inputs and on the sum of the states.
    """

    def __init__(self, embedding_dim: int, hidden_size: int, output_dim: int, dropout: float = 0.0) -> None:
        super().__init__(embedding_dim, output_dim)
        self.gru = BiGru(embedding_dim, hidden_size)
        self.feedforward = torch.nn.Linear(2 * hidden_size, output_dim)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to outputs (B, O), zero where there is nothing but padding."""
        # AllenNLP's `character_encoding` makes masks of integers.
        mask = mask.bool()
        # A trace would keep the lengths of one batch.
        if tokens.device.type == "cpu" and not torch.jit.is_tracing():
            total = encode_by_length(tokens, mask, self._summed_states, self.gru.get_output_dim())
        else:
            total = self._summed_states(tokens, mask)
        return self.feedforward(self.dropout(total)).relu() * mask[:, :1]

    def _summed_states(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.gru(self.dropout(tokens), mask).sum(1)

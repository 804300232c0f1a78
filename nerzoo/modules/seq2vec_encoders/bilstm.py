from typing import cast

import torch
from allennlp.modules import Seq2VecEncoder

from nerzoo.modules.seq2seq_encoders import BiLstm
from nerzoo.nn.encode_by_length import encode_by_length
from nerzoo.nn.reverse_sequences import reverse_sequences


@Seq2VecEncoder.register("bilstm")
class BiLstmSeq2VecEncoder(Seq2VecEncoder):
    """
    Concatenates the last states of the directions of an LSTM, h>_T of the forward and h<_1 of the backward direction,
    as AllenNLP's bidirectional `lstm` does.

    On a CPU it reads the sequences of each length by themselves, without padding, which takes half the time of packed
    ones where they are as short as words. A GPU reads all of them at once and waits for nothing; so does a trace, which
    would have the lengths of one batch alone.

    # Parameters

    input_size : `int`
        D.
    hidden_size : `int`
        H, the size of the states of each direction.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.lstm = BiLstm(input_size, hidden_size)

    def get_input_dim(self) -> int:
        return self.lstm.get_input_dim()

    def get_output_dim(self) -> int:
        return self.lstm.get_output_dim()

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Inputs (B, T, D) and mask (B, T) to outputs (B, 2H), zero where there is nothing but padding."""
        if tokens.device.type == "cpu" and not torch.jit.is_tracing():
            return encode_by_length(tokens, mask, self._ends, self.get_output_dim())
        return self._together(tokens, mask)

    def _together(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        last = (mask.sum(1) - 1).clamp_min(0).view(-1, 1, 1)
        ahead, _ = self.lstm.forward_network(tokens)
        behind, _ = self.lstm.backward_network(reverse_sequences(tokens, cast(torch.BoolTensor, mask.bool())))
        # The backward direction, turned round, ends at the first word, too.
        states = torch.cat([ahead, behind], -1)
        return states.gather(1, last.expand(-1, -1, states.size(-1))).squeeze(1) * mask[:, :1]

    def _ends(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        _, (ahead, _) = self.lstm.forward_network(tokens)
        _, (behind, _) = self.lstm.backward_network(tokens.flip(1))
        return torch.cat([ahead[0], behind[0]], -1)

from typing import List, Sequence

import torch

from nerzoo.modules.seq2seq_encoders.bigru import BiGru, run_together


class RecurrentMemory(torch.nn.Module):
    """
    The memory of Liu et al. (2017), equations 1 to 3: the states of a bidirectional GRU at each position in one vector,

        m_t = tanh(W> m>_t + W< m<_t + b).

    # Parameters

    input_size : `int`
        D.
    hidden_size : `int`
        H, the size of either direction's states and of the memory's slots.
    dropout : `float`, optional (default = `0.0`)
        On inputs and outputs of the GRU.
    """

    def __init__(self, input_size: int, hidden_size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.gru = BiGru(input_size, hidden_size)
        self.projection = torch.nn.Linear(2 * hidden_size, hidden_size)
        self.dropout = torch.nn.Dropout(dropout)

    def states(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to the states of both directions, (B, T, 2H)."""
        return self.dropout(self.gru(self.dropout(inputs), mask))

    @staticmethod
    def fill(memories: Sequence["RecurrentMemory"], inputs: torch.Tensor, mask: torch.BoolTensor) -> List[torch.Tensor]:
        """
        Fills the slots (B, T, H) of several memories of the same inputs (B, T, D) together; zero at padding. Dropout
        drops the same inputs for all of them.
        """
        states = run_together([memory.gru for memory in memories], memories[0].dropout(inputs), mask)
        return [
            memory.projection(memory.dropout(state)).tanh() * mask.unsqueeze(-1)
            for memory, state in zip(memories, states, strict=True)
        ]

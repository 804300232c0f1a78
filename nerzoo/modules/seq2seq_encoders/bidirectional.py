"""Bidirectional recurrent layers over padded batches."""

import functools
from typing import List, Optional, Sequence, Tuple, Type, Union

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.seq2seq_encoders.encoder import SizedEncoder
from nerzoo.nn.gru import run_side_by_side


def reverse_sequences(inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
    """Reverses each row of inputs (B, T, D) within its length; padding stays where it is."""
    positions = torch.arange(mask.numel(), device=mask.device).view(mask.shape)
    # The first and the last word of a sentence of n change places, whose positions add up to 2 * first + n - 1.
    turned = torch.where(mask, 2 * positions[:, :1] + mask.sum(1, keepdim=True) - 1 - positions, positions)
    return inputs.flatten(0, 1).index_select(0, turned.flatten()).view_as(inputs)


class BidirectionalEncoder(SizedEncoder):
    """
    A bidirectional recurrent layer over the padded batch. Both directions meet the padding after the last word: for the
    backward direction each sentence is reversed within its length. AllenNLP's wrapper of the same network computes the
    same over a packed batch, several times slower on a CPU, and on a GPU it waits for the lengths.

    # Parameters

    input_size, hidden_size : `int`
        D, the size of the inputs, and H, the size of the states of each direction.
    """

    bidirectional = True

    network: Type[Union[torch.nn.GRU, torch.nn.LSTM]]
    """The type of the recurrent network of each direction."""

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__(input_size, 2 * hidden_size)
        self.forward_network = self.network(input_size, hidden_size, batch_first=True)
        self.backward_network = self.network(input_size, hidden_size, batch_first=True)

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to outputs (B, T, 2H), forward states first, zero at padding."""
        ahead, _ = self.forward_network(inputs)
        behind, _ = self.backward_network(reverse_sequences(inputs, mask))
        return torch.cat([ahead, reverse_sequences(behind, mask)], -1) * mask.unsqueeze(-1)


@functools.cache
def cpu_has_lstm(dtype: torch.dtype) -> bool:
    """
    Tests, by running the smallest LSTM once, if PyTorch's LSTM runs on this CPU under autocast to `dtype`. oneDNN has
    no bfloat16 LSTM for x86 CPUs without AVX-512, where PyTorch raises a `RuntimeError`.
    """
    inputs = state = torch.zeros(1, 1, 1)
    weights = [torch.zeros(4, 1), torch.zeros(4, 1), torch.zeros(4), torch.zeros(4)]
    try:
        with torch.autocast("cpu", dtype):
            torch.lstm(inputs, (state, state), weights, True, 1, 0.0, False, False, True)
    except RuntimeError:
        return False
    return True


class Lstm(torch.nn.LSTM):
    """PyTorch's LSTM, in the precision of its weights where a CPU has no LSTM for the type of autocast."""

    weight_hh_l0: torch.Tensor

    def forward(
        self, inputs: torch.Tensor, state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
    ) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:
        """Returns what `torch.nn.LSTM` does for padded inputs."""
        # torch/nn/modules/rnn.py, LSTM.forward: `_overload_method`, a decorator without types, hides the method's type.
        if (
            inputs.device.type != "cpu"
            or not torch.is_autocast_enabled("cpu")
            or cpu_has_lstm(torch.get_autocast_dtype("cpu"))
        ):
            return super().forward(inputs, state)  # type: ignore[has-type]
        dtype = self.weight_hh_l0.dtype
        if state is not None:
            state = (state[0].to(dtype), state[1].to(dtype))
        with torch.autocast("cpu", enabled=False):
            return super().forward(inputs.to(dtype), state)  # type: ignore[has-type]


@Seq2SeqEncoder.register("bilstm")
class BiLstm(BidirectionalEncoder):
    """A bidirectional LSTM layer; see `BidirectionalEncoder`."""

    network = Lstm


@Seq2SeqEncoder.register("bigru")
class BiGru(BidirectionalEncoder):
    """A bidirectional GRU layer; see `BidirectionalEncoder`. On a CPU both directions run together; see `Gru`."""

    network = torch.nn.GRU
    forward_network: torch.nn.GRU
    backward_network: torch.nn.GRU

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        (outputs,) = run_together([self], inputs, mask)
        return outputs * mask.unsqueeze(-1)


def run_together(layers: Sequence[BiGru], inputs: torch.Tensor, mask: torch.BoolTensor) -> List[torch.Tensor]:
    """Runs layers of one size on the same inputs (B, T, D). Returns outputs (B, T, 2H), arbitrary at padding."""
    networks = [network for layer in layers for network in (layer.forward_network, layer.backward_network)]
    states = iter(run_side_by_side(networks, [inputs, reverse_sequences(inputs, mask)] * len(layers)))
    return [torch.cat([next(states), reverse_sequences(next(states), mask)], -1) for _ in layers]

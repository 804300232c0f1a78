from typing import List, Sequence

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.gru import Gru
from nerzoo.modules.seq2seq_encoders.bidirectional_encoder import BidirectionalEncoder, turn_round


@Seq2SeqEncoder.register("bigru")
class BiGru(BidirectionalEncoder):
    """
    A bidirectional GRU layer; see `BidirectionalEncoder`. On a CPU both directions run side by side; see `Gru`.
    """

    network = torch.nn.GRU

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        (outputs,) = run_together([self], [inputs], mask)
        return outputs


def run_together(layers: Sequence[BiGru], inputs: Sequence[torch.Tensor], mask: torch.BoolTensor) -> List[torch.Tensor]:
    """
    Several layers of one size, each on its own inputs (B, T, D). Returns the outputs (B, T, 2H) of each.
    """
    if mask.is_cuda:
        # cuDNN needs no help.
        return [BidirectionalEncoder.forward(layer, x, mask) for layer, x in zip(layers, inputs, strict=True)]
    networks = [network for layer in layers for network in (layer.forward_network, layer.backward_network)]
    weight_ih, weight_hh, bias_ih, bias_hh = (
        torch.stack([getattr(network, f"{name}_l0") for network in networks])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    # shape: (N, T, B, D)
    both_ways = torch.stack([way.transpose(0, 1) for x in inputs for way in (x, turn_round(x, mask))])
    gates = torch.baddbmm(bias_ih.unsqueeze(1), both_ways.flatten(1, 2), weight_ih.transpose(1, 2))
    states = Gru.apply(gates.view(*both_ways.shape[:3], -1), weight_hh.transpose(1, 2), bias_hh.unsqueeze(1))
    ways = iter(states.transpose(1, 2))
    return [torch.cat([next(ways), turn_round(next(ways), mask)], -1) * mask.unsqueeze(-1) for _ in layers]

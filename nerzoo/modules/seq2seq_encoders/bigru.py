from typing import List, Sequence

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.seq2seq_encoders.bidirectional_encoder import BidirectionalEncoder, turn_round


@Seq2SeqEncoder.register("bigru")
class BiGru(BidirectionalEncoder):
    """
    A bidirectional GRU layer; see `BidirectionalEncoder`. Both directions run as one network: on a CPU the time of a
    GRU goes into the number of its steps, hardly into their size.
    """

    network = torch.nn.GRU

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        (outputs,) = run_together([self], [inputs], mask)
        return outputs


def run_together(layers: Sequence[BiGru], inputs: Sequence[torch.Tensor], mask: torch.BoolTensor) -> List[torch.Tensor]:
    """
    Several layers, each on its own inputs (B, T, D), as one network whose weights are block-diagonal. Returns the
    outputs (B, T, 2H) of each.
    """
    networks = [network for layer in layers for network in (layer.forward_network, layer.backward_network)]
    both_ways = torch.cat([way for x in inputs for way in (x, turn_round(x, mask))], -1)
    weights = [_joined(networks, f"{name}_l0") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    state = both_ways.new_zeros(1, len(both_ways), weights[1].shape[1])
    # One layer with biases, forward, without dropout, batch first.
    states, _ = torch.gru(both_ways, state, weights, True, 1, 0.0, False, False, True)
    ways = iter(states.split([network.hidden_size for network in networks], -1))
    return [torch.cat([next(ways), turn_round(next(ways), mask)], -1) * mask.unsqueeze(-1) for _ in layers]


def _joined(networks: Sequence[torch.nn.GRU], name: str) -> torch.Tensor:
    """The weights or biases of one name, joined gate by gate, each in a block of its own."""
    gates = zip(*(getattr(network, name).chunk(3) for network in networks), strict=True)
    is_weight = name.startswith("weight")
    return torch.cat([torch.block_diag(*gate) if is_weight else torch.cat(gate) for gate in gates])

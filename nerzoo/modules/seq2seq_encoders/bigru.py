from typing import List, Sequence

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.seq2seq_encoders.bidirectional_encoder import BidirectionalEncoder
from nerzoo.nn.gru import run_side_by_side
from nerzoo.nn.reverse_sequences import reverse_sequences


@Seq2SeqEncoder.register("bigru")
class BiGru(BidirectionalEncoder):
    """
    A bidirectional GRU layer; see `BidirectionalEncoder`. On a CPU both directions run together; see `Gru`.
    """

    network = torch.nn.GRU
    forward_network: torch.nn.GRU
    backward_network: torch.nn.GRU

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        (outputs,) = run_together([self], inputs, mask)
        return outputs * mask.unsqueeze(-1)


def run_together(layers: Sequence[BiGru], inputs: torch.Tensor, mask: torch.BoolTensor) -> List[torch.Tensor]:
    """
    Runs several layers of one size on the same inputs (B, T, D). Returns the outputs (B, T, 2H) of each, which are
    arbitrary at padding.
    """
    networks = [network for layer in layers for network in (layer.forward_network, layer.backward_network)]
    ways = iter(run_side_by_side(networks, [inputs, reverse_sequences(inputs, mask)] * len(layers)))
    return [torch.cat([next(ways), reverse_sequences(next(ways), mask)], -1) for _ in layers]

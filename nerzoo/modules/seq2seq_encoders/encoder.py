from typing import Tuple

import torch
from allennlp.modules import Seq2SeqEncoder


class Sized(torch.nn.Module):
    """Mixin for encoders from inputs of size `input_size` to outputs of size `output_size`."""

    def __init__(self, input_size: int, output_size: int) -> None:
        super().__init__()
        self.input_size = input_size
        self.output_size = output_size

    def get_input_dim(self) -> int:
        return self.input_size

    def get_output_dim(self) -> int:
        return self.output_size


class SizedEncoder(Sized, Seq2SeqEncoder):
    """A `Seq2SeqEncoder` from inputs (B, T, `input_size`) to outputs (B, T, `output_size`)."""

    context: Tuple[str, ...] = ()
    """The fields of a batch that `forward` and `attention` read besides inputs and mask; see `encoder_context`."""

    bidirectional = False

    def is_bidirectional(self) -> bool:
        return self.bidirectional

from typing import Dict, Mapping, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder

_MISSING = {
    "heads": "reads dependency trees, but the sentences have none: expected heads in the corpus or the input or, for "
    "raw text, a spaCy pipeline that parses as dataset_reader.parser"
}


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


def encoder_context(encoder: Seq2SeqEncoder, fields: Mapping[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    """
    Returns the fields of a batch, by name, that an encoder lists in its attribute `context`, as keyword arguments of
    its methods `forward` and `attention`. AllenNLP's encoders have no such attribute and read no fields. Raises
    `ConfigurationError` where the batch lacks one.
    """
    context: Dict[str, torch.Tensor] = {}
    for name in getattr(encoder, "context", ()):
        if name not in fields:
            raise ConfigurationError(
                f"{type(encoder).__name__} "
                + _MISSING.get(name, f"reads {name}, but the instances have none: expected a reader that gives them")
            )
        context[name] = fields[name]
    return context

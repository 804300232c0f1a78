from typing import NamedTuple, Optional

import torch
from allennlp.data import TextFieldTensors


class FeatureInputs(NamedTuple):
    """A batch of B sentences of up to T tokens, from which `SpanFeatures` are computed."""

    tokens: TextFieldTensors
    mask: torch.BoolTensor
    """Shape (B, T). True = real token."""
    max_length: int
    """The number of tokens of the longest spans."""
    first_pass: Optional[torch.Tensor] = None
    """Shape (B, T). The entities that a first pass found, in the form of the tensors of an `EntityField`."""

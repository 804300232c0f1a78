"""Weights in 8 bits, and vectors in 8 or 4 bits: rows of whole numbers with a scale each."""

from pathlib import Path
from typing import Any, Dict, Tuple

import torch

SCALES = ":scales"
"""The end of the name of the scales of a tensor in 8 bits."""

_FEWEST = 2**14
"""Tensors of fewer numbers stay as they are: they add little to the size, and transitions of tags are among them."""
_SMALLEST_SCALE = 2.0**-24
"""The smallest positive number in half precision, so that a row of zeros is not divided by zero."""


def quantized(rows: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns rows (N, D) as whole numbers from -127 to 127, (N, D), and scales in half precision, (N, 1). Their product
    is off by at most 1/254 of the largest number of a row, and by the rounding of the scale, a factor of 1 +- 2^-11.
    """
    scales = (rows.abs().amax(1, keepdim=True).float() / 127).half().clamp(min=_SMALLEST_SCALE)
    return (rows / scales.float()).round().clamp(-127, 127).to(torch.int8), scales


def packed_in_4_bits(rows: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns rows (N, D), D even, as whole numbers from -7 to 7, two in a byte, (N, D / 2), and scales in half precision,
    (N, 1): `unpacked_4_bits` times scales is off by at most 1/14 of the largest number of a row, beside rounding.
    """
    scales = (rows.abs().amax(1, keepdim=True).float() / 7).half().clamp(min=_SMALLEST_SCALE)
    numbers = ((rows / scales.float()).round().clamp(-7, 7) + 8).to(torch.uint8)
    return numbers[:, ::2] | numbers[:, 1::2] << 4, scales


def unpacked_4_bits(packed: torch.Tensor) -> torch.Tensor:
    """Turns the bytes of `packed_in_4_bits`, (..., D / 2), into numbers from -7 to 7, (..., D)."""
    return torch.stack([packed & 15, packed >> 4], -1).flatten(-2).to(torch.int8) - 8


def with_quantized(weights: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    """Returns weights in which large tensors of floating point numbers are in 8 bits, a scale for each first index."""
    packed: Dict[str, torch.Tensor] = {}
    for name, tensor in weights.items():
        if tensor.is_floating_point() and tensor.dim() > 1 and tensor.numel() >= _FEWEST:
            numbers, packed[name + SCALES] = quantized(tensor.flatten(1))
            tensor = numbers.view(tensor.shape)
        packed[name] = tensor
    return packed


def save_weights(weights: Dict[str, torch.Tensor], path: Path, **options: Any) -> None:
    """Writes weights to a file of safetensors, with the `options` of its `save_file`, which every user can read."""
    from safetensors.torch import save_file

    save_file(weights, path, **options)
    # safetensors makes a file that only its owner can read.
    path.chmod(0o644)


def without_quantized(weights: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    """Returns weights that `with_quantized` has packed, all in floating point again."""
    unpacked = {name: tensor for name, tensor in weights.items() if not name.endswith(SCALES)}
    for name in weights.keys() - unpacked.keys():
        whole = unpacked[name.removesuffix(SCALES)]
        unpacked[name.removesuffix(SCALES)] = (whole.flatten(1) * weights[name].float()).view(whole.shape)
    return unpacked

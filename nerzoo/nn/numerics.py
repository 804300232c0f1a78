"""Precision and temperatures."""

import math

import torch
from allennlp.common.checks import ConfigurationError

IMPOSSIBLE = -1e4
"""The logarithm of a number that is 0 even in double precision, but one that can be added and subtracted."""


def at_least_float32(x: torch.Tensor) -> torch.Tensor:
    """Returns `x` in its own precision or float32, whichever is higher: long sums lose too much in half precision."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def check_temperature(temperature: float) -> None:
    """Raises `ConfigurationError` where a temperature is not positive."""
    if not temperature > 0:
        raise ConfigurationError(f"found the temperature {temperature:g}, expected one above 0")


def with_temperature(probabilities: torch.Tensor, temperature: float) -> torch.Tensor:
    """
    Returns softmax(log p / temperature), which is softmax(x / temperature) for p = softmax(x) (Guo et al., "On
    Calibration of Modern Neural Networks", 2017, section 4.2). Probabilities (..., L) sum to one over the last
    dimension or are all zero, as padding is, and stay so.
    """
    if temperature == 1:
        return probabilities
    # The most probable one is 1 / L at least: its logarithm is finite, and the sum not zero.
    powers = (probabilities.log() / temperature).exp()
    return powers / powers.sum(-1, keepdim=True).clamp(min=torch.finfo(powers.dtype).tiny)


def with_bias(probabilities: torch.Tensor, bias: float) -> torch.Tensor:
    """
    Returns softmax(log p + b), b being `bias` for the first label and 0 for the others, of probabilities (..., L) as in
    `with_temperature`.
    """
    if bias == 0:
        return probabilities
    weighted = torch.cat([probabilities[..., :1] * math.exp(bias), probabilities[..., 1:]], -1)
    return weighted / weighted.sum(-1, keepdim=True).clamp(min=torch.finfo(weighted.dtype).tiny)

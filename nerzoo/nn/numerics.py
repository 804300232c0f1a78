"""Precision, temperatures and gradient clipping."""

from typing import Iterable, List

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


def clip_gradients(parameters: Iterable[torch.nn.Parameter], max_norm: float) -> torch.Tensor:
    """Scales dense and sparse gradients to a total norm of at most `max_norm`. Returns the norm before."""
    # `torch.nn.utils.clip_grad_norm_` does not take sparse gradients.
    values: List[torch.Tensor] = []
    for parameter in parameters:
        if parameter.grad is not None and parameter.grad.is_sparse:
            parameter.grad = parameter.grad.coalesce()
            values.append(parameter.grad.values())
        elif parameter.grad is not None:
            values.append(parameter.grad)
    norm = torch.nn.utils.get_total_norm(values)
    scale = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for gradient in values:
        gradient.mul_(scale)
    return norm

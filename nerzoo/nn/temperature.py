"""Temperature scaling (Guo et al., "On Calibration of Modern Neural Networks", 2017, section 4.2)."""

import torch
from allennlp.common.checks import ConfigurationError


def check_temperature(temperature: float) -> None:
    """Raises `ConfigurationError` where a temperature is not positive."""
    if not temperature > 0:
        raise ConfigurationError(f"found the temperature {temperature:g}, expected one above 0")


def with_temperature(probabilities: torch.Tensor, temperature: float) -> torch.Tensor:
    """
    Divides the logarithms of probabilities by a temperature: softmax(log p / temperature), which of p = softmax(x) is
    softmax(x / temperature).

    # Parameters

    probabilities : `torch.Tensor`
        Shape (..., L). They sum to one over the last dimension, or are all zero, as padding is, and stay so.
    temperature : `float`

    # Returns

    `torch.Tensor`
        Shape (..., L).
    """
    if temperature == 1:
        return probabilities
    # The most probable one is 1 / L at least: its logarithm is finite, and the sum not zero.
    powers = (probabilities.log() / temperature).exp()
    return powers / powers.sum(-1, keepdim=True).clamp(min=torch.finfo(powers.dtype).tiny)

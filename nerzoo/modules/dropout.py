"""Dropout of a tagger's input, in several forms, and a faster `torch.nn.Dropout` for all other layers."""

from typing import Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import dropout

_LEVELS = 2**16


class InputDropout(torch.nn.Dropout, Registrable):
    """
    Dropout on the embedded words of a tagger. Nothing is dropped in evaluation; in training the numbers that stay are
    divided by 1 - p. Subclasses differ in the numbers that are dropped together.

    # Parameters

    p : `float`, optional (default = `0.5`)
        The probability of being dropped, from 0 to below 1; any other raises `ConfigurationError`.
    """

    default_implementation = "element"

    shared_dim: Optional[int] = None
    """The dimension of (B, T, D) along which numbers are dropped together."""

    def __init__(self, p: float = 0.5) -> None:
        if not 0 <= p < 1:
            raise ConfigurationError(f"found the input dropout {p}, expected a probability from 0 to below 1")
        super().__init__(p)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Maps inputs (B, T, D) to outputs (B, T, D)."""
        if self.shared_dim is None:
            return super().forward(inputs)
        shape = list(inputs.shape)
        shape[self.shared_dim] = 1
        return inputs * dropout(inputs.new_ones(shape), self.p, self.training)


@InputDropout.register("element")
class ElementDropout(InputDropout):
    """Drops each number of each word by itself."""


@InputDropout.register("variational")
class VariationalDropout(InputDropout):
    """Drops the same features in all words of a sentence (Gal and Ghahramani, 2016)."""

    shared_dim = 1


@InputDropout.register("word")
class WordDropout(InputDropout):
    """Drops words whole: all features of a word, or none."""

    shared_dim = 2


class FastDropout(torch.nn.Dropout):
    """
    PyTorch's dropout in a third of its time on a CPU, where PyTorch draws a number in double precision for each
    element. Here 16 random bits decide. The rate is rounded to a multiple of 2^-16, and the scale follows the
    rounded rate, so that expectations are kept.
    """

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kept = round((1 - self.p) * _LEVELS)
        is_drawn_here = inputs.device.type == "cpu" and inputs.dtype in (torch.float32, torch.float64)
        if not self.training or not is_drawn_here or kept in (0, _LEVELS):
            return super().forward(inputs)
        # Drawing numbers of 64 bits takes no longer than drawing numbers of 16.
        bits = torch.empty(inputs.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None).view(torch.int16)
        is_kept = bits[: inputs.numel()].view(inputs.shape) < kept - _LEVELS // 2
        return inputs * is_kept.to(inputs.dtype).mul_(_LEVELS / kept)


def replace_dropout(module: torch.nn.Module) -> None:
    """Replaces PyTorch's dropout by `FastDropout` everywhere inside a module."""
    for parent in module.modules():
        for name, child in parent.named_children():
            if type(child) is torch.nn.Dropout:
                parent.add_module(name, FastDropout(child.p))

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

_LEVELS = 2**16


class Dropout(torch.nn.Dropout):
    """
    The dropout of PyTorch, a third of its time on a CPU: there PyTorch draws a number in double precision for each
    element, here 16 random bits decide. The rate is rounded to a multiple of 2^-16, and the scale is that of the
    rounded rate, so that expectations are kept.
    """

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kept = round((1 - self.p) * _LEVELS)
        is_drawn_here = inputs.device.type == "cpu" and inputs.dtype in (torch.float32, torch.float64)
        if not self.training or not is_drawn_here or kept in (0, _LEVELS):
            return super().forward(inputs)
        # Numbers of 64 bits take no longer to draw than those of 16.
        bits = torch.empty(inputs.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None).view(torch.int16)
        is_kept = bits[: inputs.numel()].view(inputs.shape) < kept - _LEVELS // 2
        return inputs * is_kept.to(inputs.dtype).mul_(_LEVELS / kept)


def replace_dropout(module: torch.nn.Module) -> None:
    """Puts `Dropout` in the place of the dropout of PyTorch everywhere inside a module."""
    for parent in module.modules():
        for name, child in parent.named_children():
            if type(child) is torch.nn.Dropout:
                parent.add_module(name, Dropout(child.p))


class InputDropout(torch.nn.Dropout, Registrable):
    """
    Dropout on the embedded words of a tagger. A subclass says which numbers are dropped together. In evaluation nothing
    is dropped; in training the numbers that stay are divided by 1 - p.

    # Parameters

    p : `float`, optional (default = `0.5`)
        The probability of being dropped.

    # Raises

    `ConfigurationError` where p is not from 0 to below 1.
    """

    default_implementation = "element"

    def __init__(self, p: float = 0.5) -> None:
        if not 0 <= p < 1:
            raise ConfigurationError(f"found the input dropout {p}, expected a probability from 0 to below 1")
        super().__init__(p)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Inputs (B, T, D) to outputs (B, T, D)."""
        raise NotImplementedError


@InputDropout.register("element")
class ElementDropout(InputDropout):
    """Each number of each word is dropped by itself."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.dropout(inputs, self.p, self.training)


@InputDropout.register("variational")
class VariationalDropout(InputDropout):
    """The same features are dropped in all words of a sentence (Gal and Ghahramani, 2016)."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kept = torch.nn.functional.dropout(inputs.new_ones(inputs.size(0), 1, inputs.size(2)), self.p, self.training)
        return inputs * kept


@InputDropout.register("word")
class WordDropout(InputDropout):
    """Words are dropped whole: all features of a word, or none."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kept = torch.nn.functional.dropout(inputs.new_ones(*inputs.shape[:2], 1), self.p, self.training)
        return inputs * kept

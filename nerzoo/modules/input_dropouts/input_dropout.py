import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError


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

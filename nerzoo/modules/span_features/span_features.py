from typing import Any, Callable, Dict, NamedTuple, Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors
from torch.nn.functional import linear


class FeatureInputs(NamedTuple):
    """A batch of B sentences of up to T tokens, from which `SpanFeatures` are computed."""

    tokens: TextFieldTensors
    mask: torch.BoolTensor
    """Shape (B, T). True = real token."""
    max_length: int
    """The number of tokens of the longest spans."""
    first_pass: Optional[torch.Tensor] = None
    """Shape (B, T). The entities that a first pass found, in the form of the tensors of an `EntityField`."""


class SpanFeatures(torch.nn.Module, Registrable):
    """
    Computes features of spans: a vector of size D for each span of a batch, from its tokens and from its contexts.
    `encode` computes once a batch what its spans share; `forward` computes the features of as many spans at a time as
    memory allows.

    # Parameters

    indexer : `str`
        The name of the token indexer whose indices are read.
    """

    def __init__(self, indexer: str) -> None:
        super().__init__()
        self.indexer = indexer

    def get_output_dim(self) -> int:
        """Returns D."""
        raise NotImplementedError

    def encode(self, inputs: FeatureInputs) -> Any:
        """
        Encodes a batch of sentences for `forward`.

        # Raises

        `ConfigurationError` where the batch lacks an input that these features need.
        """
        raise NotImplementedError

    def forward(self, encoded: Any, spans: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        encoded : `Any`
            The result of `encode`.
        spans : `torch.LongTensor`
            Shape (S, 3). Sentence, start and end, exclusive, of each span.

        # Returns

        `torch.Tensor`
            Shape (S, D).
        """
        raise NotImplementedError

    def projected(self, encoded: Any, weight: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
        """
        Returns a function from spans (S, 3) to the products of their features with a matrix, shape (S, H). What spans
        share of the products can be computed once for all of them.

        # Parameters

        encoded : `Any`
            The result of `encode`.
        weight : `torch.Tensor`
            Shape (H, D).
        """
        return lambda spans: linear(self(encoded, spans), weight)

    def _indices(self, inputs: FeatureInputs) -> Dict[str, torch.Tensor]:
        """Returns the tensors of the token indexer."""
        if self.indexer not in inputs.tokens:
            raise ConfigurationError(
                f"{type(self).__name__}: found the token indexers {', '.join(inputs.tokens)}, expected "
                f"{self.indexer!r} among the reader's token_indexers"
            )
        return inputs.tokens[self.indexer]

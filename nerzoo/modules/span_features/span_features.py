from typing import Any, Callable, Dict, NamedTuple, Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors
from torch.nn.functional import linear


class FeatureInputs(NamedTuple):
    """
    A batch of B sentences of up to T tokens, from which `SpanFeatures` are computed: its tokens and their mask (B, T);
    the length of the longest spans; and the entities (B, T) of a first pass, in the form of `EntityField`'s tensors.
    """

    tokens: TextFieldTensors
    mask: torch.BoolTensor
    max_length: int
    first_pass: Optional[torch.Tensor] = None


class SpanFeatures(torch.nn.Module, Registrable):
    """
    Computes a vector of size D for each span of a batch, from its tokens and from its contexts. `encode` computes once
    a batch what its spans share; `forward` computes the features of as many spans at a time as memory allows.

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
        """Encodes a batch for `forward`. Raises `ConfigurationError` where the batch lacks a necessary input."""
        raise NotImplementedError

    def forward(self, encoded: Any, spans: torch.Tensor) -> torch.Tensor:
        """Returns the features (S, D) of spans (S, 3), sentence, start, exclusive end, given the result of `encode`."""
        raise NotImplementedError

    def projected(
        self, encoded: Any, weight: torch.Tensor, factors: Optional[torch.Tensor] = None
    ) -> Callable[[torch.Tensor], torch.Tensor]:
        """
        Returns a function from spans (S, 3) to the products (S, H) of their features with a matrix `weight` (H, D),
        given the result of `encode`. `factors` (B, D) multiply the features of all spans of a sentence before, such as
        a mask of dropout. Subclasses may compute the parts that spans share once for all spans.
        """

        def product(spans: torch.Tensor) -> torch.Tensor:
            features = self(encoded, spans)
            return linear(features if factors is None else features * factors[spans[:, 0]], weight)

        return product

    def _indices(self, inputs: FeatureInputs) -> Dict[str, torch.Tensor]:
        """Returns the tensors of the token indexer."""
        if self.indexer not in inputs.tokens:
            raise ConfigurationError(
                f"{type(self).__name__}: found the token indexers {', '.join(inputs.tokens)}, expected "
                f"{self.indexer!r} among the reader's token_indexers"
            )
        return inputs.tokens[self.indexer]

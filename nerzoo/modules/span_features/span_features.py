from typing import Any, Dict

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors


class SpanFeatures(torch.nn.Module, Registrable):
    """
    Some of the numbers that describe a span and where it stands. What many spans share is computed once a
    batch, by `encode`; what is a span's own, for as many spans at a time as memory allows, by `forward`.

    # Parameters

    indexer : `str`
        The name of the token indexer that is read.
    """

    def __init__(self, indexer: str) -> None:
        super().__init__()
        self.indexer = indexer

    def get_output_dim(self) -> int:
        """D."""
        raise NotImplementedError

    def encode(self, tokens: TextFieldTensors, mask: torch.BoolTensor, max_length: int) -> Any:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B sentences of up to T words.
        mask : `torch.BoolTensor`
            Shape (B, T).
        max_length : `int`
            The most words that a span will have.

        # Returns

        What `forward` needs of them.

        # Raises

        `ConfigurationError` where the sentences do not have what is read.
        """
        raise NotImplementedError

    def forward(self, encoded: Any, spans: torch.LongTensor) -> torch.Tensor:
        """
        # Parameters

        encoded : `Any`
            What `encode` gave.
        spans : `torch.LongTensor`
            Shape (S, 3). Sentence, start and end, exclusive, of each span.

        # Returns

        `torch.Tensor`
            Shape (S, D).
        """
        raise NotImplementedError

    def _indices(self, tokens: TextFieldTensors) -> Dict[str, torch.Tensor]:
        """What the indexer gives."""
        if self.indexer not in tokens:
            raise ConfigurationError(
                f"{type(self).__name__}: found the token indexers {', '.join(tokens)}, expected {self.indexer!r} among "
                "the reader's token_indexers"
            )
        return tokens[self.indexer]

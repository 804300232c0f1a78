from typing import NamedTuple

import torch
from allennlp.modules import TokenEmbedder
from torch.nn.functional import pad

from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures


class _Words(NamedTuple):
    embedded: torch.Tensor
    """Shape (B, T + 2, D). The embedded words of each sentence between two rows of zeros."""
    sums: torch.Tensor
    """Shape (B, T + 1, D). The sums of the words before each boundary between words, in float64."""


@SpanFeatures.register("boundary_words")
class BoundaryWords(SpanFeatures):
    """
    Embeds the words at the two boundaries of a span and averages those inside: the word before the span, its first and
    its last word, the word after it, and the mean of its words. A word that the sentence does not have is zero. The
    thesis on FOFE-NER has no such features; with the embedder `lexical_features` they are the form of these words.

    # Parameters

    indexer : `str`
        The name of the token indexer that `embedder` belongs to.
    embedder : `TokenEmbedder`
        Embeds words in D dimensions. The features have size 5D.
    """

    def __init__(self, indexer: str, embedder: TokenEmbedder) -> None:
        super().__init__(indexer)
        self.embedder = embedder

    def get_output_dim(self) -> int:
        return 5 * self.embedder.get_output_dim()

    def encode(self, inputs: FeatureInputs) -> _Words:
        embedded = self.embedder(**self._indices(inputs)).masked_fill(~inputs.mask.unsqueeze(2), 0)
        # In float64, lest the many words before a span leave their rounding in the difference of two sums.
        return _Words(pad(embedded, (0, 0, 1, 1)), pad(embedded.double().cumsum(1), (0, 0, 1, 0)))

    def forward(self, encoded: _Words, spans: torch.Tensor) -> torch.Tensor:
        sentences, starts, ends = spans.unbind(1)
        # Word k is in row k + 1.
        first_rows = sentences * encoded.embedded.size(1)
        embedded = encoded.embedded.flatten(0, 1)
        words = [embedded.index_select(0, first_rows + rows) for rows in (starts, starts + 1, ends, ends + 1)]
        total = encoded.sums[sentences, ends] - encoded.sums[sentences, starts]
        mean = total / (ends - starts).unsqueeze(1)
        return torch.cat([*words, mean.to(embedded.dtype)], 1)

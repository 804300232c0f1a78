import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.nn.spans import span_cells


@SpanFeatures.register("gazetteer_match")
class GazetteerMatch(SpanFeatures):
    """
    Marks the types under which a gazetteer has a span, word by word, as in the original program of Xu's thesis: one
    feature for each type, 1 if `GazetteerIndexer` found the span under this type, else 0. It has no parameters to
    train; the first layer above it learns what a type means.

    # Parameters

    vocab : `Vocabulary`
    indexer : `str`
        The name of a token indexer of type `gazetteer`.

    # Raises

    `ConfigurationError` where the vocabulary has no types of a gazetteer.
    """

    types: torch.Tensor

    def __init__(self, vocab: Vocabulary, indexer: str) -> None:
        super().__init__(indexer)
        num_types = vocab.get_vocab_size(GAZETTEER_NAMESPACE)
        if not num_types:
            raise ConfigurationError(
                "gazetteer_match: found no types in the vocabulary, expected a token indexer of type gazetteer"
            )
        self.register_buffer("types", torch.arange(num_types), persistent=False)

    def get_output_dim(self) -> int:
        return len(self.types)

    def encode(self, inputs: FeatureInputs) -> torch.Tensor:
        """Returns the tensor of `GazetteerIndexer`, shape (B, T, n)."""
        (matches,) = self._indices(inputs).values()
        if matches.size(2) < inputs.max_length:
            raise ConfigurationError(
                f"gazetteer_match: found a gazetteer of phrases of up to {matches.size(2)} words, expected the "
                f"max_length of the indexer to be the model's, {inputs.max_length}, or more"
            )
        return matches

    def forward(self, encoded: torch.Tensor, spans: torch.Tensor) -> torch.Tensor:
        matches = encoded[span_cells(spans)] - 1
        return (matches.unsqueeze(1) >> self.types & 1).to(torch.get_default_dtype())

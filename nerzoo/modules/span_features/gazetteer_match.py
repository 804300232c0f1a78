import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary

from nerzoo.data.token_indexers import GAZETTEER_NAMESPACE
from nerzoo.modules.span_features.span_features import SpanFeatures


@SpanFeatures.register("gazetteer_match")
class GazetteerMatch(SpanFeatures):
    """
    Of which types a span is in a gazetteer, word by word, as `GazetteerIndexer` finds it (in the original program
    of Xu's thesis): zeros and ones, one for each type. Nothing is learned here; the first layer above learns what a
    type means.

    # Parameters

    vocab : `Vocabulary`
    indexer : `str`
        The name of the token indexer, one of type `gazetteer`.

    # Raises

    `ConfigurationError` where the vocabulary has no types of a gazetteer.
    """

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

    def encode(self, tokens: TextFieldTensors, mask: torch.BoolTensor, max_length: int) -> torch.LongTensor:
        """Shape (B, T, n), the matches of spans as the indexer gives them."""
        (matches,) = self._indices(tokens).values()
        if matches.size(2) < max_length:
            raise ConfigurationError(
                f"gazetteer_match: found a gazetteer of phrases of up to {matches.size(2)} words, expected the "
                f"max_length of the indexer to be the model's, {max_length}, or more"
            )
        return matches

    def forward(self, encoded: torch.LongTensor, spans: torch.LongTensor) -> torch.Tensor:
        sentences, starts, ends = spans.unbind(1)
        matches = encoded[sentences, starts, ends - starts - 1] - 1
        return (matches.unsqueeze(1) >> self.types & 1).to(torch.get_default_dtype())

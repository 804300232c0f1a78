from typing import NamedTuple

import torch
from allennlp.modules.token_embedders import Embedding

from nerzoo.modules.span_features.character_sequence import CharacterSequence, character_sequence, character_spans
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.nn.fofe import check_alpha, fofe_encode, fofe_spans


class _Codes(NamedTuple):
    sequence: CharacterSequence
    forward: torch.Tensor
    """Shape (1, N, D). The codes of all prefixes of the sequence."""
    backward: torch.Tensor
    """Shape (1, N, D). The codes of all suffixes of the sequence."""


@SpanFeatures.register("fofe_characters")
class FofeCharacters(SpanFeatures):
    """
    Encodes the characters of a span as two FOFE codes, from left to right and from right to left (Xu's thesis, section
    5.2.2). The codes of spans are differences of the codes of all prefixes, or suffixes, of the whole batch.

    There is a space between two words of a span, as in the later version of the original program. The vector of the
    space is row 0 of the embedding, which is else that of padding.

    # Parameters

    indexer : `str`
        The name of a token indexer of type `characters`.
    embedding : `Embedding`
        Embeds characters in E dimensions. The features have size 2E.
    alpha : `float`, optional (default = `0.5`)
        The forgetting factor of characters, in (0, 1]; by default the thesis's, where the original program has 0.8.
    initials : `bool`, optional (default = `False`)
        Whether to encode the first character of each word only, without spaces: a feature of the original program that
        the thesis does not mention.

    # Raises

    `ConfigurationError` where alpha is outside (0, 1].
    """

    def __init__(self, indexer: str, embedding: Embedding, alpha: float = 0.5, initials: bool = False) -> None:
        super().__init__(indexer)
        check_alpha(alpha)
        self.embedding = embedding
        self.alpha = alpha
        self.initials = initials

    def get_output_dim(self) -> int:
        return 2 * self.embedding.get_output_dim()

    def encode(self, inputs: FeatureInputs) -> _Codes:
        (characters,) = self._indices(inputs).values()
        if self.initials:
            positions = torch.arange(inputs.mask.numel(), device=characters.device).view_as(inputs.mask)
            sequence = CharacterSequence(characters[:, :, 0].flatten(), positions, positions + 1)
        else:
            sequence = character_sequence(characters, inputs.mask)
        # In float64, lest the many characters before a span leave their rounding in its code.
        embedded = self.embedding(sequence.symbols.unsqueeze(0)).double()
        forward, backward = (fofe_encode(embedded, self.alpha, reverse=reverse) for reverse in (False, True))
        return _Codes(sequence, forward, backward)

    def forward(self, encoded: _Codes, spans: torch.Tensor) -> torch.Tensor:
        spans = character_spans(encoded.sequence, spans).unsqueeze(0)
        codes = [
            fofe_spans(codes, spans, self.alpha, reverse)
            for codes, reverse in ((encoded.forward, False), (encoded.backward, True))
        ]
        return torch.cat(codes, 2).squeeze(0).to(self.embedding.weight.dtype)

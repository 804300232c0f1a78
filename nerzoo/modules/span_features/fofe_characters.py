from typing import NamedTuple

import torch
from allennlp.data import TextFieldTensors
from allennlp.modules.token_embedders import Embedding

from nerzoo.modules.span_features.character_sequence import CharacterSequence, character_sequence, spelled
from nerzoo.modules.span_features.span_features import SpanFeatures
from nerzoo.nn.fofe import check_alpha, fofe_encode, fofe_spans


class _Codes(NamedTuple):
    sequence: CharacterSequence
    forward: torch.Tensor
    """Shape (1, N, D), as those of suffixes."""
    backward: torch.Tensor


@SpanFeatures.register("fofe_characters")
class FofeCharacters(SpanFeatures):
    """
    The characters of a span as FOFE codes, from left to right and from right to left (Xu's thesis, section 5.2.2),
    each span's from those of all prefixes and suffixes of the whole batch.

    A span of several words is spelled with a space between two words, as in the later version of the original
    program; the embedding's row 0, padding, is that of the space.

    # Parameters

    indexer : `str`
        The name of the token indexer, one of type `characters`.
    embedding : `Embedding`
        Of characters, D being its size. The features have size 2D.
    alpha : `float`, optional (default = `0.8`)
        The forgetting factor of characters, in (0, 1]; by default the original program's.
    initials : `bool`, optional (default = `False`)
        Whether to take the first character of each word alone, with nothing between them: a feature of the original
        program which the thesis does not mention.

    # Raises

    `ConfigurationError` where alpha is outside (0, 1].
    """

    def __init__(self, indexer: str, embedding: Embedding, alpha: float = 0.8, initials: bool = False) -> None:
        super().__init__(indexer)
        check_alpha(alpha)
        self.embedding = embedding
        self.alpha = alpha
        self.initials = initials

    def get_output_dim(self) -> int:
        return 2 * self.embedding.get_output_dim()

    def encode(self, tokens: TextFieldTensors, mask: torch.BoolTensor, max_length: int) -> _Codes:
        (characters,) = self._indices(tokens).values()
        if self.initials:
            positions = torch.arange(mask.numel(), device=mask.device).view_as(mask)
            sequence = CharacterSequence(characters[:, :, 0].flatten(), positions, positions + 1)
        else:
            sequence = character_sequence(characters, mask)
        # In float64, lest the many characters before a span leave their rounding in its code.
        embedded = self.embedding(sequence.symbols.unsqueeze(0)).double()
        forward, backward = (fofe_encode(embedded, self.alpha, reverse=reverse) for reverse in (False, True))
        return _Codes(sequence, forward, backward)

    def forward(self, encoded: _Codes, spans: torch.LongTensor) -> torch.Tensor:
        spans = spelled(encoded.sequence, spans).unsqueeze(0)
        codes = [
            fofe_spans(codes, spans, self.alpha, reverse)
            for codes, reverse in ((encoded.forward, False), (encoded.backward, True))
        ]
        return torch.cat(codes, 2).squeeze(0).to(self.embedding.weight.dtype)

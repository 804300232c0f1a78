from typing import Dict, List, NamedTuple, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors
from allennlp.modules import TokenEmbedder
from torch.nn.functional import pad

from nerzoo.modules.span_features.span_features import SpanFeatures
from nerzoo.nn.fofe import check_alpha, fofe_encode

CODES = ("context_including", "context_excluding", "bag_of_words")


class _Prefixes(NamedTuple):
    """Codes of what is before or after each of the T + 1 places between words, shape (B, T + 1, D) each."""

    left: torch.Tensor
    right: torch.Tensor
    sums: torch.Tensor


@SpanFeatures.register("fofe_words")
class FofeWords(SpanFeatures):
    """
    The words of a span and of its contexts (Xu's thesis, section 5.2.1), embedded:

    - `context_including`: the FOFE code of all words up to the last one of the span, and that of all words from the
      end of the sentence back to the first one of the span;
    - `context_excluding`: the same, up to the word before and back to the word after it; zero where there is none;
    - `bag_of_words`: the sum of the span's own words.

    They come from the codes of all prefixes and suffixes, O(T D), of which each span takes two, or for the sum the
    difference of two. Codes are linear: those of vectors are the vectors of codes, and the embedding is the thesis's
    projection.

    # Parameters

    indexer : `str`
        The name of the token indexer that `embedder` belongs to.
    embedder : `TokenEmbedder`
        For words as written, or for words in lower case; the thesis has features of both. Of size D.
    alpha : `float`, optional (default = `0.5`)
        The forgetting factor, in (0, 1]: of words at a distance of k from the first of a code, alpha^k.
    codes : `List[str]`, optional (default = all three)
        Which of the above. The contexts have size 2D, the bag of words D.

    # Raises

    `ConfigurationError` where alpha is outside (0, 1], or codes are none, or none of those above.
    """

    def __init__(
        self, indexer: str, embedder: TokenEmbedder, alpha: float = 0.5, codes: Optional[List[str]] = None
    ) -> None:
        super().__init__(indexer)
        check_alpha(alpha)
        self.codes = list(CODES) if codes is None else codes
        if not self.codes or not set(self.codes) <= set(CODES):
            raise ConfigurationError(f"found the codes {self.codes}, expected some of {', '.join(CODES)}")
        self.embedder = embedder
        self.alpha = alpha

    def get_output_dim(self) -> int:
        return sum(1 if name == "bag_of_words" else 2 for name in self.codes) * self.embedder.get_output_dim()

    def encode(self, tokens: TextFieldTensors, mask: torch.BoolTensor, max_length: int) -> _Prefixes:
        return self._prefixes(self.embedder(**self._indices(tokens)), mask)

    def _prefixes(self, embedded: torch.Tensor, mask: torch.BoolTensor) -> _Prefixes:
        left = fofe_encode(embedded, self.alpha, mask)
        right = fofe_encode(embedded, self.alpha, mask, reverse=True)
        # Of the difference of two sums nothing must be lost to what was before.
        sums = fofe_encode(embedded.double(), 1.0, mask)
        before, after = (0, 0, 1, 0), (0, 0, 0, 1)
        return _Prefixes(pad(left, before), pad(right, after), pad(sums, before))

    def forward(self, encoded: _Prefixes, spans: torch.LongTensor) -> torch.Tensor:
        sentences, starts, ends = spans.unbind(1)
        first_place = sentences * encoded.left.size(1)
        starts, ends = first_place + starts, first_place + ends
        # Rows of a matrix, the gradient of which is faster than that of (sentence, place).
        left, right, sums = (codes.flatten(0, 1) for codes in encoded)
        of: Dict[str, List[torch.Tensor]] = {}
        if "context_including" in self.codes:
            of["context_including"] = [left.index_select(0, ends), right.index_select(0, starts)]
        if "context_excluding" in self.codes:
            of["context_excluding"] = [left.index_select(0, starts), right.index_select(0, ends)]
        if "bag_of_words" in self.codes:
            difference = sums.index_select(0, ends) - sums.index_select(0, starts)
            of["bag_of_words"] = [difference.to(left.dtype)]
        return torch.cat([code for name in self.codes for code in of[name]], 1)

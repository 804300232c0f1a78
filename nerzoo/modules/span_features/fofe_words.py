from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from torch.nn.functional import pad

from nerzoo.modules.span_features.feature_inputs import FeatureInputs
from nerzoo.modules.span_features.span_features import SpanFeatures
from nerzoo.nn.fofe import check_alpha, fofe_encode

CODES = ("context_including", "context_excluding", "bag_of_words")


class _BoundaryCodes(NamedTuple):
    """Codes at the T + 1 boundaries between words, shape (B, T + 1, D) each; boundary p is before word p."""

    left: torch.Tensor
    """The FOFE codes of the words before each boundary."""
    right: torch.Tensor
    """The FOFE codes of the words after each boundary, read from the end."""
    sums: torch.Tensor
    """The sums of the words before each boundary, in float64."""


@SpanFeatures.register("fofe_words")
class FofeWords(SpanFeatures):
    """
    Encodes the embedded words of a span and of its contexts in up to three codes (Xu's thesis, section 5.2.1):

    - `context_including`: the FOFE code of the words from the first of the sentence to the last of the span, and the
      FOFE code of the words from the last of the sentence back to the first of the span;
    - `context_excluding`: the same up to the word before the span, and back to the word after it; zero where there is
      no such word;
    - `bag_of_words`: the sum of the span's own words.

    The codes of all prefixes and suffixes of a sentence are computed once, in O(T D); each span takes two of them, or
    for the sum the difference of two. FOFE is linear, hence the codes of embedded words are the embedded codes of
    words, and the embedding is the thesis's projection. In the same way the product of all features of a span with a
    matrix is what its start adds plus what its end adds, so that spans need no product of their own.

    # Parameters

    indexer : `str`
        The name of the token indexer that `embedder` belongs to.
    embedder : `TokenEmbedder`
        Embeds words in D dimensions: words as written, or words in lower case; the thesis has features of both.
    alpha : `float`, optional (default = `0.5`)
        The forgetting factor, in (0, 1]: the word k words away from the nearest word of a code has the weight alpha^k.
    codes : `List[str]`, optional (default = all three)
        The names of the codes to compute. The contexts have size 2D, the bag of words D.

    # Raises

    `ConfigurationError` where alpha is outside (0, 1], or `codes` is empty or has an unknown name.
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

    def encode(self, inputs: FeatureInputs) -> Any:
        return self._boundary_codes(self.embedder(**self._indices(inputs)), inputs.mask)

    def _boundary_codes(self, embedded: torch.Tensor, mask: torch.BoolTensor) -> _BoundaryCodes:
        left = fofe_encode(embedded, self.alpha, mask)
        right = fofe_encode(embedded, self.alpha, mask, reverse=True)
        # In float64, lest the many words before a span leave their rounding in the difference of two sums.
        sums = fofe_encode(embedded.double(), 1.0, mask)
        before, after = (0, 0, 1, 0), (0, 0, 0, 1)
        return _BoundaryCodes(pad(left, before), pad(right, after), pad(sums, before))

    def forward(self, encoded: Any, spans: torch.Tensor) -> torch.Tensor:
        boundary_codes: _BoundaryCodes = encoded
        starts, ends = self._rows(boundary_codes, spans)
        # Rows of a matrix: their gradient is faster than that of pairs of a sentence and a boundary.
        left, right, sums = (codes.flatten(0, 1) for codes in boundary_codes)
        parts: Dict[str, List[torch.Tensor]] = {}
        if "context_including" in self.codes:
            parts["context_including"] = [left.index_select(0, ends), right.index_select(0, starts)]
        if "context_excluding" in self.codes:
            parts["context_excluding"] = [left.index_select(0, starts), right.index_select(0, ends)]
        if "bag_of_words" in self.codes:
            difference = sums.index_select(0, ends) - sums.index_select(0, starts)
            parts["bag_of_words"] = [difference.to(left.dtype)]
        return torch.cat([code for name in self.codes for code in parts[name]], 1)

    def projected(self, encoded: Any, weight: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
        boundary_codes: _BoundaryCodes = encoded
        left, right = boundary_codes.left.flatten(0, 1), boundary_codes.right.flatten(0, 1)
        parts = iter(weight.t().split(self.embedder.get_output_dim()))
        # What the start of a span adds to its products, and what its end adds: shape (B * (T + 1), H) each.
        of_starts, of_ends = (left.new_zeros(len(left), len(weight)) for _ in range(2))
        for name in self.codes:
            if name == "bag_of_words":
                # Words are multiplied, not their sums: these are in float64, in which products take twice as long.
                words = boundary_codes.sums.diff(dim=1).to(left.dtype) @ next(parts)
                sums = pad(words.cumsum(1, dtype=torch.float64), (0, 0, 1, 0)).flatten(0, 1).to(left.dtype)
                of_starts -= sums
                of_ends += sums
            else:
                of_left, of_right = (of_ends, of_starts) if name == "context_including" else (of_starts, of_ends)
                of_left.addmm_(left, next(parts))
                of_right.addmm_(right, next(parts))

        def of_spans(spans: torch.Tensor) -> torch.Tensor:
            starts, ends = self._rows(boundary_codes, spans)
            return of_starts.index_select(0, starts) + of_ends.index_select(0, ends)

        return of_spans

    @staticmethod
    def _rows(boundary_codes: _BoundaryCodes, spans: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the rows of the starts and of the ends of spans (S, 3) in the codes of all sentences, shape (S,)."""
        sentences, starts, ends = spans.unbind(1)
        first_rows = sentences * boundary_codes.left.size(1)
        return first_rows + starts, first_rows + ends

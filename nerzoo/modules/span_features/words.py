"""Features of the words of a span and of its contexts."""

from functools import partial
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import linear, pad

from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.nn.fofe import check_alpha, fofe_encode, powers
from nerzoo.nn.spans import span_cells

CODES = ("context_including", "context_excluding", "bag_of_words")


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

    def encode(self, inputs: FeatureInputs) -> Tuple[torch.Tensor, torch.Tensor]:
        embedded = self.embedder(**self._indices(inputs)).masked_fill(~inputs.mask.unsqueeze(2), 0)
        # In float64, so that the many words before a span do not leave their rounding in the difference of two sums.
        sums = embedded.double().cumsum(1)
        # shape: (B, T + 2, D), word k in row k + 1, and (B, T + 1, D), the sums of the words before each boundary
        return pad(embedded, (0, 0, 1, 1)), pad(sums, (0, 0, 1, 0))

    def forward(self, encoded: Tuple[torch.Tensor, torch.Tensor], spans: torch.Tensor) -> torch.Tensor:
        embedded, sums = encoded
        sentences, starts, ends = spans.unbind(1)
        first_rows = sentences * embedded.size(1)
        rows = embedded.flatten(0, 1)
        # shape: (S, D) each
        words = [rows.index_select(0, first_rows + row) for row in (starts, starts + 1, ends, ends + 1)]
        mean = (sums[sentences, ends] - sums[sentences, starts]) / (ends - starts).unsqueeze(1)
        return torch.cat([*words, mean.to(embedded.dtype)], 1)

    def projected(
        self, encoded: Tuple[torch.Tensor, torch.Tensor], weight: torch.Tensor, factors: Optional[torch.Tensor] = None
    ) -> Callable[[torch.Tensor], torch.Tensor]:
        padded, sums = encoded
        before, first, last, after, mean = _products(weight, factors, self.embedder.get_output_dim())
        # The products of each boundary with the words on its two sides, shape (B * (T + 1), H) each.
        by_start = (before(padded[:, :-1]) + first(padded[:, 1:])).flatten(0, 1)
        by_end = (last(padded[:, :-1]) + after(padded[:, 1:])).flatten(0, 1)
        words = mean(padded[:, 1:-1])
        by_sum = pad(words.cumsum(1, dtype=torch.float64), (0, 0, 1, 0)).flatten(0, 1)

        def product(spans: torch.Tensor) -> torch.Tensor:
            starts, ends = _boundary_rows(sums, spans)
            total = by_sum.index_select(0, ends) - by_sum.index_select(0, starts)
            means = (total / (ends - starts).unsqueeze(1)).to(padded.dtype)
            return by_start.index_select(0, starts) + by_end.index_select(0, ends) + means

        return product


class _BoundaryCodes(NamedTuple):
    """Codes at the T + 1 boundaries between words, shape (B, T + 1, D) each; boundary p is before word p."""

    left: torch.Tensor  # the FOFE codes of the words before each boundary
    right: torch.Tensor  # the FOFE codes of the words after each boundary, read from the end
    sums: torch.Tensor  # the sums of the words before each boundary, in float64


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
    matrix is a vector for its start plus a vector for its end, so that spans need no product of their own.

    # Parameters

    indexer : `str`
        The name of the token indexer that `embedder` belongs to.
    embedder : `TokenEmbedder`
        Embeds words in D dimensions: words as written, or words in lower case; the thesis has features of both.
    alpha : `float`, optional (default = `0.5`)
        The forgetting factor: the word k words away from the nearest word of a code has the weight alpha^k. Outside
        (0, 1] it raises `ConfigurationError`.
    codes : `List[str]`, optional (default = all three)
        The names of the codes to compute; no name or an unknown one raises `ConfigurationError`. The contexts have size
        2D, the bag of words D.
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
        left, right = self._context_codes(embedded, mask)
        # In float64, so that the many words before a span do not leave their rounding in the difference of two sums.
        sums = fofe_encode(embedded.double(), 1.0, mask)
        return _BoundaryCodes(left, right, pad(sums, (0, 0, 1, 0)))

    def _context_codes(self, embedded: torch.Tensor, mask: torch.BoolTensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the FOFE codes of the words before and after each boundary, (B, T + 1, D) each."""
        left = fofe_encode(embedded, self.alpha, mask)
        right = fofe_encode(embedded, self.alpha, mask, reverse=True)
        return pad(left, (0, 0, 1, 0)), pad(right, (0, 0, 0, 1))

    def forward(self, encoded: Any, spans: torch.Tensor) -> torch.Tensor:
        starts, ends = _boundary_rows(encoded.left, spans)
        # Rows of a matrix have a faster gradient than pairs of a sentence and a boundary.
        left, right, sums = (codes.flatten(0, 1) for codes in encoded)
        found: List[torch.Tensor] = []
        for name in self.codes:
            if name == "bag_of_words":
                found.append((sums.index_select(0, ends) - sums.index_select(0, starts)).to(left.dtype))
            else:
                to_left, to_right = (ends, starts) if name == "context_including" else (starts, ends)
                found += [left.index_select(0, to_left), right.index_select(0, to_right)]
        return torch.cat(found, 1)

    def projected(
        self, encoded: Any, weight: torch.Tensor, factors: Optional[torch.Tensor] = None
    ) -> Callable[[torch.Tensor], torch.Tensor]:
        codes: _BoundaryCodes = encoded
        products = iter(_products(weight, factors, self.embedder.get_output_dim()))
        # The vectors that the start and the end of a span add to its product, shape (B, T + 1, H) each.
        # In single precision at least, so that the sums do not leave their rounding in the difference of two.
        dtype = torch.promote_types(codes.left.dtype, torch.float32)
        by_start, by_end = (codes.left.new_zeros(*codes.left.shape[:2], len(weight), dtype=dtype) for _ in range(2))
        for name in self.codes:
            if name == "bag_of_words":
                # Words are multiplied, not their sums: these are in float64, in which products take twice as long.
                words = next(products)((codes.sums[:, 1:] - codes.sums[:, :-1]).to(codes.left.dtype))
                sums = pad(words.cumsum(1, dtype=torch.float64), (0, 0, 1, 0)).to(dtype)
                by_start -= sums
                by_end += sums
            else:
                by_left, by_right = (by_end, by_start) if name == "context_including" else (by_start, by_end)
                by_left += next(products)(codes.left)
                by_right += next(products)(codes.right)

        def product(spans: torch.Tensor) -> torch.Tensor:
            starts, ends = _boundary_rows(codes.left, spans)
            return by_start.flatten(0, 1).index_select(0, starts) + by_end.flatten(0, 1).index_select(0, ends)

        return product


class _SubstitutedCodes(NamedTuple):
    """The codes of `FofeWords`, and the differences (B, T + 1, D) that substitution makes to left and right codes."""

    words: _BoundaryCodes
    left: torch.Tensor
    right: torch.Tensor


@SpanFeatures.register("fofe_substituted_words")
class FofeSubstitutedWords(FofeWords):
    """
    Encodes the words of a span and of its contexts for a second pass (Xu's thesis, section 5.4): as `FofeWords`, but
    each entity that the first pass found outside the span is replaced by one pseudo-word, its type. Entities that share
    a word with the span stay words.

    Boundary p is before word p. Let w(p) be the FOFE code of the words before boundary p, c(p) the code of the same
    words with entities replaced, and a(p) the start of the entity around p, or p where there is none. FOFE is linear
    and weights words at a distance of k by alpha^k, so that the left code of a span [s, e), up to q = s or, with the
    words of the span, up to q = e, is

        w(q) + alpha^(q - a(s)) (c(a(s)) - w(a(s)))

    and the right code is its mirror image. Both need only the codes of all prefixes and suffixes, O(T D).

    # Parameters

    indexer, embedder, alpha
        As in `FofeWords`. Types have vectors of their own, of the size D of words.
    codes : `List[str]`, optional (default = `["context_excluding", "bag_of_words"]`)
        As in `FofeWords`. The original program has the same default.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities. Without a type it raises `ConfigurationError`.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        indexer: str,
        embedder: TokenEmbedder,
        alpha: float = 0.5,
        codes: Optional[List[str]] = None,
        label_namespace: str = "labels",
    ) -> None:
        super().__init__(indexer, embedder, alpha, ["context_excluding", "bag_of_words"] if codes is None else codes)
        if not vocab.get_vocab_size(label_namespace):
            raise ConfigurationError(
                "fofe_substituted_words: found no types of entities in the vocabulary, expected one at least"
            )
        self.type_embedder = Embedding(
            embedding_dim=embedder.get_output_dim(), vocab=vocab, vocab_namespace=label_namespace
        )

    def encode(self, inputs: FeatureInputs) -> _SubstitutedCodes:
        """Encodes as `SpanFeatures`. Raises `ConfigurationError` also where the inputs have no `first_pass`."""
        if inputs.first_pass is None:
            raise ConfigurationError(
                "fofe_substituted_words: found no entities of a first pass, expected the model to be of type "
                "fofe_ner_second_pass"
            )
        mask, entities = inputs.mask, inputs.first_pass
        embedded = self.embedder(**self._indices(inputs))
        words = self._boundary_codes(embedded, mask)
        types = self.type_embedder(entities.clamp_min(1) - 1)
        substituted = torch.where((entities > 0).unsqueeze(2), types, embedded)
        # Only the first word of each entity is kept; the words that are kept move to the left, in order.
        kept = mask & (entities >= 0)
        order = (~kept).byte().argsort(dim=1, stable=True)
        substituted = _select(substituted, order)
        # shape: (B, T + 1), the number of kept words before each boundary
        counts = pad(kept.cumsum(1), (1, 0))
        substituted_mask = cast(torch.BoolTensor, torch.arange(mask.size(1), device=mask.device) < counts[:, -1:])
        left, right = self._context_codes(substituted, substituted_mask)

        # shape: (B, T + 1) each, the start and the end of the entity around each boundary
        boundaries = torch.arange(mask.size(1) + 1, device=mask.device).expand_as(counts)
        is_inside = pad(entities, (0, 1)) < 0
        starts = boundaries.masked_fill(is_inside, 0).cummax(1).values
        ends = boundaries.masked_fill(is_inside, mask.size(1)).flip(1).cummin(1).values.flip(1)
        decay = powers(self.alpha, mask.size(1) + 1, left).unsqueeze(1)
        return _SubstitutedCodes(
            words,
            decay[boundaries - starts] * (_select(left, counts.gather(1, starts)) - _select(words.left, starts)),
            decay[ends - boundaries] * (_select(right, counts.gather(1, ends)) - _select(words.right, ends)),
        )

    def forward(self, encoded: _SubstitutedCodes, spans: torch.Tensor) -> torch.Tensor:
        starts, ends = _boundary_rows(encoded.left, spans)
        left, right = encoded.left.flatten(0, 1), encoded.right.flatten(0, 1)
        added = torch.cat([left.index_select(0, starts), right.index_select(0, ends)], 1)
        parts: Dict[str, torch.Tensor] = {"context_excluding": added}
        if "context_including" in self.codes:
            decay = powers(self.alpha, encoded.left.size(1), added)
            parts["context_including"] = decay[ends - starts].unsqueeze(1) * added
        if "bag_of_words" in self.codes:
            parts["bag_of_words"] = added.new_zeros(len(added), self.embedder.get_output_dim())
        return super().forward(encoded.words, spans) + torch.cat([parts[name] for name in self.codes], 1)

    # A word of the span that is inside an entity decides the weight of that entity's substitution.
    projected = SpanFeatures.projected


@SpanFeatures.register("gazetteer_match")
class GazetteerMatch(SpanFeatures):
    """
    Marks the types under which a gazetteer has a span, word by word, as in the original program of Xu's thesis: one
    feature for each type, 1 if `GazetteerIndexer` found the span under this type, else 0. It has no parameters to
    train; the first layer above it learns what a type means.

    # Parameters

    indexer : `str`
        The name of a token indexer of type `gazetteer`. Without its types in the vocabulary it raises
        `ConfigurationError`.
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


def _products(
    weight: torch.Tensor, factors: Optional[torch.Tensor], size: int
) -> List[Callable[[torch.Tensor], torch.Tensor]]:
    """
    Returns for each part of a matrix (H, D), of this size, a function from vectors (B, T, size) to their products
    (B, T, H), after multiplication by the part's factors, if there are some for each sentence, (B, D).
    """

    def product(vectors: torch.Tensor, part: torch.Tensor, factor: Optional[torch.Tensor]) -> torch.Tensor:
        return linear(vectors if factor is None else vectors * factor.unsqueeze(1), part)

    parts = weight.split(size, 1)
    split = [None] * len(parts) if factors is None else factors.split(size, 1)
    return [partial(product, part=part, factor=factor) for part, factor in zip(parts, split, strict=True)]


def _boundary_rows(codes: torch.Tensor, spans: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the rows (S,) of the starts and of the ends of spans (S, 3) in codes (B, P, D) of all sentences."""
    sentences, starts, ends = spans.unbind(1)
    first_rows = sentences * codes.size(1)
    return first_rows + starts, first_rows + ends


def _select(codes: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Selects from codes (B, P, D) the rows at positions (B, Q) of each sentence, shape (B, Q, D)."""
    first = torch.arange(len(codes), device=codes.device).unsqueeze(1) * codes.size(1)
    return codes.flatten(0, 1).index_select(0, (first + positions).flatten()).view(*positions.shape, -1)

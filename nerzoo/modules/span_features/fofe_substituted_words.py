from typing import Any, Dict, List, NamedTuple, Optional, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import pad

from nerzoo.modules.span_features.feature_inputs import FeatureInputs
from nerzoo.modules.span_features.fofe_words import FofeWords
from nerzoo.modules.span_features.span_features import SpanFeatures
from nerzoo.nn.fofe import fofe_encode, powers


class _Codes(NamedTuple):
    words: Any
    """The codes that `FofeWords` encodes."""
    left: torch.Tensor
    """Shape (B, T + 1, D). The difference that substitution makes to the left code at each boundary between words."""
    right: torch.Tensor
    """The same for right codes."""


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

    vocab : `Vocabulary`
    indexer : `str`
        As in `FofeWords`.
    embedder : `TokenEmbedder`
        As in `FofeWords`. Types have vectors of their own, of the same size D.
    alpha : `float`, optional (default = `0.5`)
        As in `FofeWords`.
    codes : `List[str]`, optional (default = `["context_excluding", "bag_of_words"]`)
        As in `FofeWords`. The default is that of the original program.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities.

    # Raises

    `ConfigurationError` as in `FofeWords`, and where there are no types.
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

    def encode(self, inputs: FeatureInputs) -> _Codes:
        """As in `SpanFeatures`. Raises `ConfigurationError` also where the inputs have no `first_pass`."""
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
        # Of each entity only the first word is kept; the words that are kept move to the left, in order.
        kept = mask & (entities >= 0)
        order = (~kept).byte().argsort(dim=1, stable=True)
        substituted = _rows(substituted, order)
        counts = pad(kept.cumsum(1), (1, 0))
        substituted_mask = cast(torch.BoolTensor, torch.arange(mask.size(1), device=mask.device) < counts[:, -1:])
        left = pad(fofe_encode(substituted, self.alpha, substituted_mask), (0, 0, 1, 0))
        right = pad(fofe_encode(substituted, self.alpha, substituted_mask, reverse=True), (0, 0, 0, 1))

        boundaries = torch.arange(mask.size(1) + 1, device=mask.device).expand_as(counts)
        is_inside = pad(entities, (0, 1)) < 0
        starts = boundaries.masked_fill(is_inside, 0).cummax(1).values
        ends = boundaries.masked_fill(is_inside, mask.size(1)).flip(1).cummin(1).values.flip(1)
        decay = powers(self.alpha, mask.size(1) + 1, left).unsqueeze(1)
        return _Codes(
            words,
            decay[boundaries - starts] * (_rows(left, counts.gather(1, starts)) - _rows(words.left, starts)),
            decay[ends - boundaries] * (_rows(right, counts.gather(1, ends)) - _rows(words.right, ends)),
        )

    def forward(self, encoded: _Codes, spans: torch.Tensor) -> torch.Tensor:
        sentences, starts, ends = spans.unbind(1)
        first_rows = sentences * encoded.left.size(1)
        left, right = encoded.left.flatten(0, 1), encoded.right.flatten(0, 1)
        added = torch.cat([left.index_select(0, first_rows + starts), right.index_select(0, first_rows + ends)], 1)
        parts: Dict[str, torch.Tensor] = {"context_excluding": added}
        if "context_including" in self.codes:
            decay = powers(self.alpha, encoded.left.size(1), added)
            parts["context_including"] = decay[ends - starts].unsqueeze(1) * added
        if "bag_of_words" in self.codes:
            parts["bag_of_words"] = added.new_zeros(len(added), self.embedder.get_output_dim())
        return super().forward(encoded.words, spans) + torch.cat([parts[name] for name in self.codes], 1)

    # A word of the span that is inside an entity decides how much that entity's substitution weighs.
    projected = SpanFeatures.projected


def _rows(codes: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Selects from codes (B, P, D) the rows at positions (B, Q) of each sentence, shape (B, Q, D)."""
    first = torch.arange(len(codes), device=codes.device).unsqueeze(1) * codes.size(1)
    return codes.flatten(0, 1).index_select(0, (first + positions).flatten()).view(*positions.shape, -1)

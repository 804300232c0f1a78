from typing import Any, NamedTuple, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import cosine_similarity, embedding

from nerzoo.allennlp_private import embedding_namespace, token_counts, unknown_index
from nerzoo.errors import check_choice, check_range
from nerzoo.nn.numerics import at_least_float32


class AuxiliaryLoss:
    """Base class of parts that hand a loss, summed over the words of a batch, to `_keep` when they are trained."""

    _auxiliary_loss: Optional[torch.Tensor] = None

    def auxiliary_loss(self) -> Optional[torch.Tensor]:
        """Returns the loss of the last forward pass, once: a tensor with a graph can be neither copied nor saved."""
        loss, self._auxiliary_loss = self._auxiliary_loss, None
        return loss

    def _keep(self, loss: Optional[torch.Tensor]) -> None:
        self._auxiliary_loss = loss


class DistinctWords(NamedTuple):
    """
    The N distinct words of a batch, so that each is encoded once: `words` (N,) and their `characters` (N, C); the
    number of times (N,) that each is in the batch, 0 if it is unknown; and the row (B, T) of each word of the batch.
    """

    words: torch.Tensor
    characters: torch.Tensor
    num_known: torch.Tensor
    rows: torch.Tensor


def distinct_words(
    words: torch.Tensor, known: torch.BoolTensor, characters: torch.Tensor, rows: Optional[torch.Tensor]
) -> DistinctWords:
    """
    Finds the distinct words of a batch, given its `words` (B, T), if the vocabulary has them, `known` (B, T), the
    characters (N, C) of the distinct words, and the row of each word among them. Without `rows`, the characters are
    (B, T, C), and every token counts as a word of its own.
    """
    if rows is None:
        rows = torch.arange(words.numel(), device=words.device).view_as(words)
        return DistinctWords(words.flatten(), characters.flatten(0, 1), known.flatten().long(), rows)
    distinct = words.new_zeros(len(characters)).scatter(0, rows.flatten(), words.flatten())
    num_known = torch.zeros_like(distinct).scatter_add(0, rows.flatten(), known.flatten().long())
    return DistinctWords(distinct, characters, num_known, rows)


@TokenEmbedder.register("char_gated")
class CharGatedEmbedder(TokenEmbedder, AuxiliaryLoss):
    """
    Combines the embedding x of a word and the vector m = tanh(W h + b) of its characters, h being the output of the
    character encoder, in one vector (Rei, Crichton and Pyysalo, 2016):

        "attention"    z * x + (1 - z) * m,    z = sigmoid(W3 tanh(W1 x + W2 m + b1) + b3)
        "concat"       [x; m]
        "word"         x

    The biases of z are in the authors' program and not in their paper, which contrasts its gate with that of a language
    model, one number for each word that depends on x alone (Miyamoto and Cho, "Gated Word-Character Recurrent Language
    Model", 2016): `scalar_gate`, `gate_reads_characters`. With attention, m learns to be like x: the
    auxiliary loss is the sum of 1 - cos(m, x) over the known words of the batch, with no gradient to x.

    If the batch lists its distinct words, vectors are computed once for each of them; see `WordCharactersIndexer`. An
    embedder that reads a `word_indexer` in place of the vocabulary, such as `transformer`, embeds each word of the
    batch; the vectors of characters are still those of distinct words.

    # Parameters

    word_embedding : `TokenEmbedder`
        The embedding of words, of size D: an `embedding`, a `fixed_embedding`, or any embedder for the `word_indexer`
        of the indexer `word_characters`.
    character_encoder : `TokenEmbedder`, optional
        Encodes characters (1, N, C) as (1, N, K), as AllenNLP's `character_encoding` does. The combination `"word"`
        needs none, and keeps none.
    combination : `str`, optional (default = `"attention"`)
        `"attention"`, `"concat"` or `"word"`.
    character_size : `int`, optional (default = D)
        The size of m. It may differ from D only with `"concat"`.
    auxiliary_weight : `float`, optional (default = `1.0`)
        The weight of the auxiliary loss; with 0 there is none.
    scalar_gate : `bool`, optional (default = `False`)
        Whether z is one number for each word, not D.
    gate_reads_characters : `bool`, optional (default = `True`)
        Whether z depends on m, too, not on x alone.
    singleton_dropout : `float`, optional (default = `0.0`)
        The probability that in training a word is replaced by the unknown word, if the data that the vocabulary was
        made from has it once.
    dropout : `float`, optional (default = `0.0`)
        Dropout on the combined vector.
    vocab : `Vocabulary`, optional
        Needed for `singleton_dropout`.

    # Raises

    `ConfigurationError` where the combination is unknown or lacks a character encoder, or sizes do not fit; and for a
    `singleton_dropout` outside [0, 1], or above 0 without a `vocab` or an `embedding` with a `vocab_namespace`.
    """

    is_singleton: torch.Tensor

    def __init__(
        self,
        word_embedding: TokenEmbedder,
        character_encoder: Optional[TokenEmbedder] = None,
        combination: str = "attention",
        character_size: Optional[int] = None,
        auxiliary_weight: float = 1.0,
        scalar_gate: bool = False,
        gate_reads_characters: bool = True,
        singleton_dropout: float = 0.0,
        dropout: float = 0.0,
        vocab: Optional[Vocabulary] = None,
    ) -> None:
        super().__init__()
        size = word_embedding.get_output_dim()
        character_size = character_size or size
        check_choice("combination", combination, ("attention", "concat", "word"))
        check_range("singleton_dropout", singleton_dropout, 0, 1)
        if combination != "word" and character_encoder is None:
            raise ConfigurationError(f"combination is {combination}, but there is no character_encoder")
        if combination == "attention":
            check_dimensions_match(character_size, size, "character_size with attention", "size of word_embedding")
        self.combination = combination
        self.word_embedding = word_embedding
        self.dropout = torch.nn.Dropout(dropout)
        self._auxiliary_weight = auxiliary_weight
        self._output_dim = size + character_size if combination == "concat" else size
        self.character_encoder = None if combination == "word" else character_encoder
        if self.character_encoder is not None:
            self.character_projection = torch.nn.Linear(self.character_encoder.get_output_dim(), character_size)
        if combination == "attention":
            self._gate_reads_characters = gate_reads_characters
            self.gate_hidden = torch.nn.Linear(2 * size if gate_reads_characters else size, size)
            self.gate_output = torch.nn.Linear(size, 1 if scalar_gate else size)
        self._singleton_dropout = singleton_dropout
        if singleton_dropout:
            if vocab is None:
                raise ConfigurationError("found singleton_dropout, but no vocabulary")
            namespace = embedding_namespace(word_embedding) if isinstance(word_embedding, Embedding) else None
            if namespace is None:
                raise ConfigurationError(
                    "found singleton_dropout with a word_embedding of another type than embedding, or with "
                    "num_embeddings, expected an embedding with a vocab_namespace"
                )
            self._namespace = namespace
            self._unknown = unknown_index(vocab, namespace)
            # shape: (V,). A vocabulary that was read from files has no counts.
            counts, words = token_counts(vocab, namespace), vocab.get_index_to_token_vocabulary(namespace)
            is_singleton = torch.tensor([counts.get(words[index]) == 1 for index in range(len(words))])
            self.register_buffer("is_singleton", is_singleton)

    def get_output_dim(self) -> int:
        return self._output_dim

    @property
    def has_gate(self) -> bool:
        """`True` if `gate` weights the word against its characters."""
        return self.combination == "attention"

    def forward(
        self,
        words: Optional[torch.Tensor] = None,
        known: Optional[torch.BoolTensor] = None,
        characters: Optional[torch.Tensor] = None,
        rows: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> torch.Tensor:
        """
        Returns vectors (B, T, D), with `"concat"` (B, T, D + `character_size`), zero at padding. Parameters are as in
        `distinct_words`, with 0 at padding, and `others` the tensors of a `word_indexer`. Raises `ConfigurationError`
        where another indexer than `word_characters` made the tensors.
        """
        if words is None or known is None or characters is None:
            raise ConfigurationError(
                "char_gated reads what the token indexer word_characters gives; found another one at the same name in "
                "token_indexers"
            )
        distinct = self._drop_singletons(distinct_words(words, known, characters, rows))
        # shape: (N, D), or (B, T, D) with others
        x = self.word_embedding(**others) if others else self.word_embedding(distinct.words)
        combined = x
        if self.character_encoder is not None:
            m = self._encode_characters(distinct.characters)
            if others:
                m = embedding(distinct.rows, m)
            combined = self._combine(x, m)
            if self.has_gate:
                self._keep(self._dissimilarity(m, x, known if others else distinct.num_known))
        # A look-up, because its backward pass is several times faster than indexing's.
        embedded = combined if others else embedding(distinct.rows, combined)
        return self.dropout(embedded) * (words > 0).unsqueeze(-1)

    def combine(self, x: torch.Tensor, characters: torch.Tensor) -> torch.Tensor:
        """Combines the embeddings (N, D) of words and the indices (N, C) of their characters as `forward` does."""
        return self._combine(x, self._encode_characters(characters))

    def gate(
        self,
        words: torch.Tensor,
        known: torch.BoolTensor,
        characters: torch.Tensor,
        rows: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> torch.Tensor:
        """Returns z (B, T, D) for the arguments of `forward`: near 1 the word counts, near 0 its characters."""
        distinct = distinct_words(words, known, characters, rows)
        m = self._encode_characters(distinct.characters)
        if others:
            gate = self._gate(self.word_embedding(**others), m[distinct.rows])
        else:
            gate = self._gate(self.word_embedding(distinct.words), m)[distinct.rows]
        return gate * (words > 0).unsqueeze(-1)

    def extend_vocab(self, extended_vocab: Vocabulary, **kwargs: Any) -> None:
        """Marks new words of a trained model's vocabulary as no singletons; AllenNLP extends their embedding."""
        if self._singleton_dropout:
            size = extended_vocab.get_vocab_size(self._namespace)
            new = self.is_singleton.new_zeros(size - len(self.is_singleton))
            self.is_singleton = torch.cat([self.is_singleton, new])

    def _encode_characters(self, characters: torch.Tensor) -> torch.Tensor:
        """Returns m (N, D). Raises `ConfigurationError` where the combination is `"word"`, which has no characters."""
        if self.character_encoder is None:
            raise ConfigurationError("found the combination word, expected one that reads characters")
        return self.character_projection(self.character_encoder(characters.unsqueeze(0)).squeeze(0)).tanh()

    def _combine(self, x: torch.Tensor, m: torch.Tensor) -> torch.Tensor:
        if not self.has_gate:
            return torch.cat([x, m], -1)
        gate = self._gate(x, m)
        return gate * x + (1 - gate) * m

    def _gate(self, x: torch.Tensor, m: torch.Tensor) -> torch.Tensor:
        hidden = self.gate_hidden(torch.cat([x, m], -1) if self._gate_reads_characters else x).tanh()
        return self.gate_output(hidden).sigmoid().expand_as(x)

    def _dissimilarity(self, m: torch.Tensor, x: torch.Tensor, num_known: torch.Tensor) -> Optional[torch.Tensor]:
        if not (self.training and self._auxiliary_weight):
            return None
        similarity = cosine_similarity(at_least_float32(m), at_least_float32(x.detach()), dim=-1)
        return self._auxiliary_weight * (num_known * (1 - similarity)).sum()

    def _drop_singletons(self, distinct: DistinctWords) -> DistinctWords:
        if not (self.training and self._singleton_dropout):
            return distinct
        # A singleton is in a batch once, so that its row is its token.
        dropped = torch.rand(distinct.words.shape, device=distinct.words.device) < self._singleton_dropout
        dropped &= self.is_singleton[distinct.words]
        return distinct._replace(
            words=distinct.words.masked_fill(dropped, self._unknown),
            num_known=distinct.num_known.masked_fill(dropped, 0),
        )

from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import cosine_similarity, embedding

from nerzoo.allennlp_private import embedding_namespace, token_counts, unknown_index
from nerzoo.modules.auxiliary_losses import AuxiliaryLoss
from nerzoo.nn.batches import DistinctWords, distinct_words
from nerzoo.nn.numerics import at_least_float32

COMBINATIONS = ("attention", "concat", "word")


@TokenEmbedder.register("char_gated")
class CharGatedEmbedder(TokenEmbedder, AuxiliaryLoss):
    """
    Combines the embedding x of a word and the vector m = tanh(W h + b) of its characters, h being the output of the
    character encoder, in one vector (Rei, Crichton and Pyysalo, 2016):

        "attention"    z * x + (1 - z) * m,    z = sigmoid(W3 tanh(W1 x + W2 m + b1) + b3)
        "concat"       [x; m]
        "word"         x

    The biases of z are in the authors' program and not in their paper. With attention, m learns to be like x: the
    auxiliary loss is the sum of 1 - cos(m, x) over the known words of the batch, with no gradient to x.

    Vectors are computed once for each distinct word of the batch, where the batch tells them apart; see
    `WordCharactersIndexer`.

    # Parameters

    word_embedding : `TokenEmbedder`
        The embedding of words, of size D: an `embedding`, or a `fixed_embedding`.
    character_encoder : `TokenEmbedder`, optional
        Encodes characters (1, N, C) as (1, N, K), as AllenNLP's `character_encoding` does. The combination `"word"`
        needs none, and keeps none.
    combination : `str`, optional (default = `"attention"`)
        `"attention"`, `"concat"` or `"word"`.
    character_size : `int`, optional (default = D)
        The size of m. Only `"concat"` takes another one than D.
    auxiliary_weight : `float`, optional (default = `1.0`)
        The weight of the auxiliary loss; with 0 there is none.
    singleton_dropout : `float`, optional (default = `0.0`)
        The probability that in training a word is taken for unknown, if the data that the vocabulary was made of has it
        once.
    dropout : `float`, optional (default = `0.0`)
        Dropout on the combined vector.
    vocab : `Vocabulary`, optional
        Needed for `singleton_dropout`.

    # Raises

    `ConfigurationError` where the combination is unknown or lacks a character encoder, where sizes do not fit, or where
    `singleton_dropout` is no probability, or there is one without a vocabulary, or with a word embedding that is no
    `embedding` or has `num_embeddings`.
    """

    is_singleton: torch.Tensor

    def __init__(
        self,
        word_embedding: TokenEmbedder,
        character_encoder: Optional[TokenEmbedder] = None,
        combination: str = "attention",
        character_size: Optional[int] = None,
        auxiliary_weight: float = 1.0,
        singleton_dropout: float = 0.0,
        dropout: float = 0.0,
        vocab: Optional[Vocabulary] = None,
    ) -> None:
        super().__init__()
        size = word_embedding.get_output_dim()
        character_size = character_size or size
        if combination not in COMBINATIONS:
            raise ConfigurationError(f"combination must be one of {', '.join(COMBINATIONS)}, found {combination!r}")
        if combination != "word" and character_encoder is None:
            raise ConfigurationError(f"combination is {combination}, but there is no character_encoder")
        if combination == "attention" and character_size != size:
            raise ConfigurationError(
                f"combination is attention, but character_size is {character_size} and word_embedding has the size "
                f"{size}; expected them to be equal"
            )
        self.combination = combination
        self.word_embedding = word_embedding
        self.dropout = torch.nn.Dropout(dropout)
        self._auxiliary_weight = auxiliary_weight
        self._output_dim = size
        self.character_encoder = None if combination == "word" else character_encoder
        if self.character_encoder is not None:
            self.character_projection = torch.nn.Linear(self.character_encoder.get_output_dim(), character_size)
        if combination == "concat":
            self._output_dim += character_size
        if combination == "attention":
            self.gate_hidden = torch.nn.Linear(2 * size, size)
            self.gate_output = torch.nn.Linear(size, size)
        if not 0 <= singleton_dropout <= 1:
            raise ConfigurationError(
                f"found singleton_dropout = {singleton_dropout}, expected a probability from 0 to 1"
            )
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
            self.register_buffer("is_singleton", _singletons(vocab, namespace))

    def get_output_dim(self) -> int:
        return self._output_dim

    @property
    def has_gate(self) -> bool:
        """Whether the word and its characters are weighted by a gate, which `gate` gives."""
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
        # Parameters

        words : `torch.LongTensor`
            Shape (B, T), 0 at padding.
        known : `torch.BoolTensor`
            Shape (B, T). Which words the vocabulary has.
        characters : `torch.LongTensor`
            Shape (B, T, C), or, with `rows`, shape (N, C), the characters of the N distinct words; 0 at padding.
        rows : `torch.LongTensor`, optional
            Shape (B, T). The row of `characters` that each word has.

        # Returns

        `torch.Tensor`
            Shape (B, T, D), with `"concat"` (B, T, D + `character_size`). Zero at padding.

        # Raises

        `ConfigurationError` where the indexer does not give words, whether they are known, and characters.
        """
        if others or words is None or known is None or characters is None:
            raise ConfigurationError(
                "char_gated reads what the token indexer word_characters gives; found another one at the same name in "
                "token_indexers"
            )
        distinct = self._drop_singletons(distinct_words(words, known, characters, rows))
        of_words = self.word_embedding(distinct.words)
        combined = of_words
        if self.character_encoder is not None:
            of_characters = self._of_characters(distinct.characters)
            combined = self._combined(of_words, of_characters)
            if self.has_gate:
                self._keep(self._dissimilarity(of_characters, of_words, distinct.num_known))
        # A look-up, because its backward pass is several times faster than that of an index.
        embedded = embedding(distinct.rows, combined)
        return self.dropout(embedded) * (words > 0).unsqueeze(-1)

    def combine(self, of_words: torch.Tensor, characters: torch.Tensor) -> torch.Tensor:
        """
        Combines the embeddings (N, D) of words and the indices (N, C) of their characters, as `forward` does in
        evaluation. Raises `ConfigurationError` where the combination is `"word"`, which has no characters.
        """
        return self._combined(of_words, self._of_characters(characters))

    def gate(
        self,
        words: torch.Tensor,
        known: torch.BoolTensor,
        characters: torch.Tensor,
        rows: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """
        Returns z (B, T, D) for the arguments of `forward`: near 1 the word counts, near 0 its characters.
        Raises `ConfigurationError` where the combination is `"word"`, which has no characters.
        """
        distinct = distinct_words(words, known, characters, rows)
        of_characters = self._of_characters(distinct.characters)
        gate = self._gate(self.word_embedding(distinct.words), of_characters)
        return gate[distinct.rows] * (words > 0).unsqueeze(-1)

    def extend_vocab(self, extended_vocab: Vocabulary, **kwargs: Any) -> None:
        """Words that join the vocabulary of a trained model are no singletons; AllenNLP extends their embedding."""
        if self._singleton_dropout:
            size = extended_vocab.get_vocab_size(self._namespace)
            new = self.is_singleton.new_zeros(size - len(self.is_singleton))
            self.is_singleton = torch.cat([self.is_singleton, new])

    def _of_characters(self, characters: torch.Tensor) -> torch.Tensor:
        if self.character_encoder is None:
            raise ConfigurationError("found the combination word, expected one that reads characters")
        return self.character_projection(self.character_encoder(characters.unsqueeze(0)).squeeze(0)).tanh()

    def _combined(self, of_words: torch.Tensor, of_characters: torch.Tensor) -> torch.Tensor:
        if not self.has_gate:
            return torch.cat([of_words, of_characters], -1)
        gate = self._gate(of_words, of_characters)
        return gate * of_words + (1 - gate) * of_characters

    def _gate(self, of_words: torch.Tensor, of_characters: torch.Tensor) -> torch.Tensor:
        hidden = self.gate_hidden(torch.cat([of_words, of_characters], -1)).tanh()
        return self.gate_output(hidden).sigmoid()

    def _dissimilarity(
        self, of_characters: torch.Tensor, of_words: torch.Tensor, num_known: torch.Tensor
    ) -> Optional[torch.Tensor]:
        if not (self.training and self._auxiliary_weight):
            return None
        similarity = cosine_similarity(at_least_float32(of_characters), at_least_float32(of_words.detach()), dim=-1)
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


def _singletons(vocab: Vocabulary, namespace: str) -> torch.Tensor:
    """Marks the words of the vocabulary that occur once, shape (V,). A vocabulary read from files has no counts."""
    counts = token_counts(vocab, namespace)
    words = vocab.get_index_to_token_vocabulary(namespace)
    return torch.tensor([counts.get(words[index]) == 1 for index in range(len(words))])

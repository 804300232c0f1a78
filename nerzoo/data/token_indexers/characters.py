"""Indexers of the characters of words."""

from itertools import chain
from typing import Any, Dict, List, Optional, Tuple

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import pad_sequence_to_length
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo.allennlp_private import unknown_index
from nerzoo.text.word_forms import hashed_characters, with_zeros

Tensors = Dict[str, torch.Tensor]
MAX_WORDS = 2**16
"""The number of words whose characters are kept."""
_SIZE = numpy.dtype(numpy.int64).itemsize


def distinct_rows(rows: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Finds the distinct rows of a matrix (N, C) on the CPU. Returns indices `first` and `inverse`: `rows[first]` are the
    distinct rows, and `rows[first][inverse]` is `rows`.
    """
    # Rows are compared as bytes: `torch.unique` takes ten times as long, as long as most encoders of characters.
    whole = numpy.dtype((numpy.void, rows.shape[1] * rows.element_size()))
    _, first, inverse = numpy.unique(
        rows.contiguous().numpy().view(whole)[:, 0], return_index=True, return_inverse=True
    )
    return torch.from_numpy(first), torch.from_numpy(inverse)


@TokenIndexer.register("cached_characters")
class CachedCharactersIndexer(TokenCharactersIndexer):
    """
    AllenNLP's indexer `characters`, with the same parameters and tensors, several times as fast: it looks the
    characters of a word up once, and pads the words of a sentence as bytes, not number by number. It keeps the indices
    of up to `MAX_WORDS` words as the bytes of 64-bit integers, for one vocabulary, as long as that does not grow.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._indexed: Dict[Optional[str], bytes] = {}
        self._indexed_by: Tuple[Optional[Vocabulary], int] = (None, 0)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        size = vocabulary.get_vocab_size(self._namespace)
        if self._indexed_by[0] is not vocabulary or self._indexed_by[1] != size:
            self._indexed, self._indexed_by = {}, (vocabulary, size)
        words = []
        for token in chain(self._start_tokens, tokens, self._end_tokens):
            word = self._indexed.get(token.text)
            words.append(self._index(token, vocabulary) if word is None else word)
        return {"token_characters": words}

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> Dict[str, int]:
        words = indexed_tokens["token_characters"]
        return {
            "token_characters": max(len(words), self._token_min_padding_length),
            "num_token_characters": max(self._min_padding_length, max(map(len, words), default=0) // _SIZE),
        }

    def as_padded_tensor_dict(self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]) -> Tensors:
        num_words, num_characters = padding_lengths["token_characters"], padding_lengths["num_token_characters"]
        size = num_characters * _SIZE
        # Zero bytes are zeros as integers, too.
        words = [word[:size].ljust(size, b"\0") for word in tokens["token_characters"][:num_words]]
        padded = bytearray(b"".join(words).ljust(num_words * size, b"\0"))
        characters = numpy.frombuffer(padded, numpy.int64).reshape(num_words, num_characters)
        return {"token_characters": torch.from_numpy(characters)}

    def _index(self, token: Token, vocabulary: Vocabulary) -> bytes:
        words = super().tokens_to_indices([token], vocabulary)["token_characters"]
        if len(self._indexed) == MAX_WORDS:
            self._indexed.clear()
        word = numpy.array(words[len(self._start_tokens)], numpy.int64).tobytes()
        self._indexed[token.text] = word
        return word


@TokenIndexer.register("hashed_characters")
class HashedCharactersIndexer(TokenCharactersIndexer):
    """
    Indexes the characters of each word without a vocabulary, by a hash: the UTF-8 encoding of a character, taken as one
    number, modulo 128, as in Xu's thesis, section 5.5.2, for Spanish. Tensors are those of AllenNLP's `characters`.

    An ASCII character is its own hash, and any other shares that of an ASCII character: "á" that of "!", "ñ" that of
    "1". The index of a character is 1 + its hash, since 0 is padding: an embedding has 129 rows.

    # Parameters

    min_padding_length : `int`, optional (default = `1`)
        The smallest number of characters to pad words to.
    token_min_padding_length : `int`, optional (default = `0`)
        As in AllenNLP's `TokenIndexer`.
    """

    def __init__(self, min_padding_length: int = 1, token_min_padding_length: int = 0) -> None:
        super().__init__(min_padding_length=min_padding_length, token_min_padding_length=token_min_padding_length)

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        """Counts nothing: there is no vocabulary."""

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"token_characters": [hashed_characters(token.ensure_text()) for token in tokens]}


@TokenIndexer.register("word_characters")
class WordCharactersIndexer(TokenIndexer):
    """
    Indexes words together with their characters, for `CharGatedEmbedder`: gives the indices of AllenNLP's indexers
    `single_id` and `characters`, and whether the vocabulary has the word.

    The tensors of a batch are `words` and `known`, shape (B, T), and `characters`, shape (B, T, C). In a `WordsField`,
    which nerzoo's readers use, `characters`, shape (N, C), has each of the N distinct words of a batch once, and
    `rows`, shape (B, T), the row of `characters` of each word. Those of a `word_indexer` are beside them. Raises
    `ConfigurationError` where a word has no character or more than `max_word_length`.

    # Parameters

    namespace, character_namespace : `str`, optional (default = `"tokens"` and `"token_characters"`)
        The namespaces of words and of characters in the vocabulary.
    word_indexer : `TokenIndexer`, optional
        An indexer for embedders of words that the vocabulary is not for, such as `transformer`.
    lowercase_words : `bool`, optional (default = `False`)
        Whether to look words up in lower case. Characters keep their case.
    zero_digits : `bool`, optional (default = `False`)
        Whether to read all digits as 0, in words and in characters.
    max_word_length : `int`, optional (default = `500`)
        The number of characters of the longest words.
    min_padding_length : `int`, optional (default = `1`)
        The smallest C; a CNN over characters needs the size of its largest filter.
    token_min_padding_length : `int`, optional (default = `0`)
        As in AllenNLP's `TokenIndexer`.
    """

    def __init__(
        self,
        namespace: str = "tokens",
        character_namespace: str = "token_characters",
        word_indexer: Optional[TokenIndexer] = None,
        lowercase_words: bool = False,
        zero_digits: bool = False,
        max_word_length: int = 500,
        min_padding_length: int = 1,
        token_min_padding_length: int = 0,
    ) -> None:
        super().__init__(token_min_padding_length)
        self._namespace = namespace
        self._zero_digits = zero_digits
        self._max_word_length = max_word_length
        self._words = SingleIdTokenIndexer(namespace, lowercase_tokens=lowercase_words)
        self._word_indexer = word_indexer
        self._characters = CachedCharactersIndexer(namespace=character_namespace, min_padding_length=min_padding_length)

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        if self._word_indexer is not None:
            self._word_indexer.count_vocab_items(token, counter)
        token = self._read(token)
        self._words.count_vocab_items(token, counter)
        self._characters.count_vocab_items(token, counter)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        others = {} if self._word_indexer is None else self._word_indexer.tokens_to_indices(tokens, vocabulary)
        tokens = [self._read(token) for token in tokens]
        words = self._words.tokens_to_indices(tokens, vocabulary)["tokens"]
        unknown = unknown_index(vocabulary, self._namespace)
        characters = self._characters.tokens_to_indices(tokens, vocabulary)["token_characters"]
        return {**others, "words": words, "known": [word != unknown for word in words], "characters": characters}

    def get_empty_token_list(self) -> IndexedTokenList:
        others = {} if self._word_indexer is None else self._word_indexer.get_empty_token_list()
        return {**others, "words": [], "known": [], "characters": []}

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> Dict[str, int]:
        lengths = self._characters.get_padding_lengths({"token_characters": indexed_tokens["characters"]})
        num_words = max(lengths["token_characters"], self._token_min_padding_length)
        others = {} if self._word_indexer is None else self._word_indexer.get_padding_lengths(_others(indexed_tokens))
        return {**others, "words": num_words, "num_characters": lengths["num_token_characters"]}

    def as_padded_tensor_dict(self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]) -> Tensors:
        num_words = padding_lengths["words"]
        others: Tensors = {}
        if self._word_indexer is not None:
            others = self._word_indexer.as_padded_tensor_dict(_others(tokens), padding_lengths)
        return {
            **others,
            "words": torch.tensor(pad_sequence_to_length(tokens["words"], num_words), dtype=torch.long),
            "known": torch.tensor(pad_sequence_to_length(tokens["known"], num_words, bool), dtype=torch.bool),
            "characters": self._characters.as_padded_tensor_dict(
                {"token_characters": tokens["characters"]},
                {"token_characters": num_words, "num_token_characters": padding_lengths["num_characters"]},
            )["token_characters"],
        }

    def batch_tensors(self, tensors: Tensors) -> Tensors:
        """Keeps the characters of distinct words only, while the batch is on the CPU: a GPU would make it wait."""
        words, characters = tensors["words"], tensors["characters"]
        # With their indices: words of only unknown characters may differ in nothing else.
        first, rows = distinct_rows(torch.cat([words.unsqueeze(-1), characters], -1).flatten(0, 1))
        return {
            **tensors,
            "characters": characters.flatten(0, 1)[first],
            "rows": rows.view_as(words),
        }

    def _read(self, token: Token) -> Token:
        """Returns the token whose word and characters are indexed."""
        text = token.ensure_text()
        if not 0 < len(text) <= self._max_word_length:
            expected = f"1 to {self._max_word_length}, which is max_word_length of the token indexer word_characters"
            raise ConfigurationError(f"found a word of {len(text)} characters, {text[:20]!r}, expected {expected}")
        return Token(with_zeros(text)) if self._zero_digits else token


def _others(tokens: IndexedTokenList) -> IndexedTokenList:
    """Returns what the `word_indexer` of a `WordCharactersIndexer` has indexed."""
    return {name: indexed for name, indexed in tokens.items() if name not in ("words", "known", "characters")}

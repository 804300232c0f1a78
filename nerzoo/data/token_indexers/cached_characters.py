from itertools import chain
from typing import Any, Dict, List, Optional, Tuple

import numpy
import torch
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import TokenCharactersIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

MAX_WORDS = 2**16
"""The number of words whose characters are kept."""
_SIZE = numpy.dtype(numpy.int64).itemsize


@TokenIndexer.register("cached_characters")
class CachedCharactersIndexer(TokenCharactersIndexer):
    """
    Does the work of AllenNLP's indexer `characters`, with the same parameters and tensors, several times as fast: it
    looks the characters of a word up once, and pads the words of a sentence as bytes, not number by number.

    A word's indices are kept as the bytes of 64-bit integers: of up to `MAX_WORDS` words, for one vocabulary at a time,
    as long as it does not grow.
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

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]
    ) -> Dict[str, torch.Tensor]:
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

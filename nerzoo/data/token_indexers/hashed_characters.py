from functools import lru_cache
from typing import Counter, Dict, List

from allennlp.data import Vocabulary
from allennlp.data.token_indexers import TokenCharactersIndexer, TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

NUM_HASHES = 128
_MAX_WORDS = 2**16


@TokenIndexer.register("hashed_characters")
class HashedCharactersIndexer(TokenCharactersIndexer):
    """
    The characters of each word without a vocabulary: the UTF-8 encoding of a character, taken as one number, modulo
    128, as Xu's thesis, section 5.5.2, has it for Spanish. Tensors are those of AllenNLP's `characters`.

    ASCII characters are their own hashes. Another one shares that of the ASCII character whose code is its last byte
    less 128: "á" that of "!", "ñ" that of "1".

    The index of a character is its hash and one, so that none is padding, 0: an embedding has `NUM_HASHES` + 1 = 129
    rows.

    # Parameters

    min_padding_length : `int`, optional (default = `1`)
        The least number of characters to pad words to.
    token_min_padding_length : `int`, optional (default = `0`)
    """

    def __init__(self, min_padding_length: int = 1, token_min_padding_length: int = 0) -> None:
        super().__init__(min_padding_length=min_padding_length, token_min_padding_length=token_min_padding_length)

    def count_vocab_items(self, token: Token, counter: Dict[str, Counter[str]]) -> None:
        """There is nothing to count."""

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"token_characters": [_indices(token.ensure_text()) for token in tokens]}


@lru_cache(_MAX_WORDS)
def _indices(word: str) -> List[int]:
    # JSON may hold halves of surrogate pairs, which UTF-8 does not encode.
    encoded = (character.encode("utf-8", "surrogatepass") for character in word)
    return [1 + int.from_bytes(code, "big") % NUM_HASHES for code in encoded]

from typing import Dict, List

from allennlp.data import Vocabulary
from allennlp.data.token_indexers import TokenCharactersIndexer, TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo.text.word_forms import hashed_characters


@TokenIndexer.register("hashed_characters")
class HashedCharactersIndexer(TokenCharactersIndexer):
    """
    Indexes the characters of each word without a vocabulary, by a hash: the UTF-8 encoding of a character, taken as one
    number, modulo 128, as in Xu's thesis, section 5.5.2, for Spanish. Tensors are those of AllenNLP's `characters`.

    An ASCII character is its own hash. Another character has the hash of the ASCII character whose code is its last
    byte less 128: "á" has that of "!", "ñ" has that of "1".

    The index of a character is 1 + its hash, since 0 is padding: an embedding has 129 rows.

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

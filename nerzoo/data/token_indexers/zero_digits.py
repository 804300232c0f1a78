import copy
from typing import Any, Dict, List

import torch
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo.data.characters import CharacterToken
from nerzoo.text.word_forms import with_zeros


@TokenIndexer.register("zero_digits")
class ZeroDigitsIndexer(TokenIndexer):
    """
    Reads all digits as 0 and hands the words on to another indexer: numbers of the same form, such as 1996 and 2017,
    become one word, and so do their characters.

    # Parameters

    indexer : `TokenIndexer`
        Any indexer; its tensors are given unchanged. Attributes of a token, such as its part of speech, keep their
        digits; the word around a `CharacterToken` does not.
    """

    def __init__(self, indexer: TokenIndexer) -> None:
        super().__init__()
        self._indexer = indexer

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        self._indexer.count_vocab_items(_token_with_zeros(token), counter)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return self._indexer.tokens_to_indices(list(map(_token_with_zeros, tokens)), vocabulary)

    def get_empty_token_list(self) -> IndexedTokenList:
        return self._indexer.get_empty_token_list()

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> Dict[str, int]:
        return self._indexer.get_padding_lengths(indexed_tokens)

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]
    ) -> Dict[str, torch.Tensor]:
        return self._indexer.as_padded_tensor_dict(tokens, padding_lengths)

    def __getattr__(self, name: str) -> Any:
        # `batch_tensors`, which `WordsField` calls where an indexer has it.
        if name == "batch_tensors":
            return getattr(self._indexer, name)
        raise AttributeError(name)


def _token_with_zeros(token: Token) -> Token:
    text = token.ensure_text()
    zeros = with_zeros(text)
    if zeros != text:
        token = copy.copy(token)
        token.text = zeros
    return CharacterToken(token, with_zeros(token.word)) if isinstance(token, CharacterToken) else token

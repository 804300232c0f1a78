"""Indexers of words by their forms: capital letters, digits, punctuation."""

import copy
from typing import Any, Dict, List

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo.data.token_indexers.characters import Tensors
from nerzoo.text.word_forms import has_capital, lexical_form, with_zeros

UNKNOWN_CAPITALIZED = "@@UNKNOWN_CAPITALIZED@@"


class CharacterToken(Token):
    """A `Token` of one character with the `word` around it, a feature for `single_id` indexers."""

    __slots__ = ["word"]

    def __init__(self, token: Token, word: str) -> None:
        super().__init__(token.text, idx=token.idx, tag_=token.tag_)
        self.word = word


@TokenIndexer.register("cased_unknown")
class CasedUnknownIndexer(SingleIdTokenIndexer):
    """
    AllenNLP's `single_id` with two unknown words (Xu's thesis, section 5.5.1): `UNKNOWN_CAPITALIZED` for words that
    have a capital letter, which a vocabulary that limits words keeps, and the vocabulary's unknown word for others.

    # Parameters

    namespace : `str`, optional (default = `"tokens"`)
        The namespace of the words.
    """

    # In AllenNLP's data/token_indexers/single_id_token_indexer.py, it is optional.
    namespace: str

    def __init__(self, namespace: str = "tokens") -> None:
        super().__init__(namespace)

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        """Counts the word and, so that no limit leaves it out, the capitalized unknown word once for each word."""
        super().count_vocab_items(token, counter)
        counter[self.namespace][UNKNOWN_CAPITALIZED] += 1

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> Dict[str, List[int]]:
        known = vocabulary.get_token_to_index_vocabulary(self.namespace)
        words = [token.ensure_text() for token in tokens]
        read_as = [UNKNOWN_CAPITALIZED if word not in known and has_capital(word) else word for word in words]
        return {"tokens": [vocabulary.get_token_index(word, self.namespace) for word in read_as]}


@TokenIndexer.register("lexical_features")
class LexicalFeaturesIndexer(TokenIndexer):
    """
    Indexes each word by six binary features of its form, which Liu et al. (2017), section 5.2, adopt from Huang et al.
    (2015): the word

    1. starts with a capital letter,
    2. has capital letters, and no lower-case ones ("U.S." too),
    3. has lower-case letters, and no capital ones,
    4. has a capital letter after its first character,
    5. has both letters and digits,
    6. has one of the characters in `string.punctuation`.

    The index of a word is 1, unlike padding, plus the sum of 2^(j-1) over the features j that it has.
    `LexicalFeaturesEmbedder` turns it into six numbers.
    """

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        """Counts nothing: there is no vocabulary."""

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"forms": [lexical_form(token.ensure_text()) for token in tokens]}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"forms": []}


@TokenIndexer.register("zero_digits")
class ZeroDigitsIndexer(TokenIndexer):
    """
    Reads all digits as 0 and passes the words to another indexer: numbers of the same form, such as 1996 and 2017,
    become one word, and so do their characters. Attributes of a token, such as its part of speech, keep their digits;
    the word around a `CharacterToken` does not.

    # Parameters

    indexer : `TokenIndexer`
        Any indexer; its tensors are unchanged.
    """

    def __init__(self, indexer: TokenIndexer) -> None:
        super().__init__()
        self.indexer = indexer

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        self.indexer.count_vocab_items(_token_with_zeros(token), counter)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return self.indexer.tokens_to_indices(list(map(_token_with_zeros, tokens)), vocabulary)

    def get_empty_token_list(self) -> IndexedTokenList:
        return self.indexer.get_empty_token_list()

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> Dict[str, int]:
        return self.indexer.get_padding_lengths(indexed_tokens)

    def as_padded_tensor_dict(self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]) -> Tensors:
        return self.indexer.as_padded_tensor_dict(tokens, padding_lengths)

    def __getattr__(self, name: str) -> Any:
        # `batch_tensors`, which `WordsField` calls where an indexer has it.
        if name == "batch_tensors":
            return getattr(self.indexer, name)
        raise AttributeError(name)


def _token_with_zeros(token: Token) -> Token:
    text = token.ensure_text()
    zeros = with_zeros(text)
    if zeros != text:
        token = copy.copy(token)
        token.text = zeros
    return CharacterToken(token, with_zeros(token.word)) if isinstance(token, CharacterToken) else token

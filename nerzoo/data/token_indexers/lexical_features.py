import string
from typing import Callable, Counter, Dict, List, Tuple

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

_PUNCTUATION = frozenset(string.punctuation)
_FEATURES: Tuple[Callable[[str], bool], ...] = (
    lambda word: word[:1].isupper(),
    str.isupper,
    str.islower,
    lambda word: any(character.isupper() for character in word[1:]),
    lambda word: any(map(str.isalpha, word)) and any(map(str.isdigit, word)),
    lambda word: not _PUNCTUATION.isdisjoint(word),
)

NUM_LEXICAL_FEATURES = len(_FEATURES)


@TokenIndexer.register("lexical_features")
class LexicalFeaturesIndexer(TokenIndexer):
    """
    The form of each word in six binary features, those that Liu et al. (2017), section 5.2, take from Huang et al.
    (2015). The word

    1. starts with a capital letter,
    2. has capital letters, and no lower-case ones ("U.S." too),
    3. has lower-case letters, and no capital ones,
    4. has a capital letter after its first character,
    5. has both letters and digits,
    6. has one of the characters in `string.punctuation`.

    A word is indexed as one integer, to which feature j adds 2^(j-1), and which counts from 1, so that a word without
    any differs from padding. `LexicalFeaturesEmbedder` makes six numbers of it.
    """

    def count_vocab_items(self, token: Token, counter: Dict[str, Counter[str]]) -> None:
        """There is nothing to count."""

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"forms": [_form(token.ensure_text()) for token in tokens]}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"forms": []}


def _form(word: str) -> int:
    return 1 + sum(feature(word) << position for position, feature in enumerate(_FEATURES))

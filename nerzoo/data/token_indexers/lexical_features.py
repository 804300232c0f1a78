from typing import Dict, List

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo.text.word_forms import lexical_form


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

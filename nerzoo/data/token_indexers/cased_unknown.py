from typing import Dict, List

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token

from nerzoo.text.word_forms import has_capital

UNKNOWN_CAPITALIZED = "@@UNKNOWN_CAPITALIZED@@"


@TokenIndexer.register("cased_unknown")
class CasedUnknownIndexer(SingleIdTokenIndexer):
    """
    AllenNLP's `single_id` with two unknown words, one for words that have a capital letter and one for words that have
    none (Xu's thesis, section 5.5.1). The former has an entry of its own in the vocabulary, `UNKNOWN_CAPITALIZED`; the
    latter is the vocabulary's unknown word. A vocabulary that limits words by their counts keeps both.

    # Parameters

    namespace : `str`, optional (default = `"tokens"`)
        The namespace of the words.
    """

    # Not optional, as it is in AllenNLP's data/token_indexers/single_id_token_indexer.py, __init__.
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

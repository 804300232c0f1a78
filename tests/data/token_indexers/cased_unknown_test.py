from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import TextField

from nerzoo.data.token_indexers.cased_unknown import UNKNOWN_CAPITALIZED

TRAINING = ["the", "the", "Ada", "Ada", "rare", "Rare"]


def make_vocab(**limits):
    indexer = TokenIndexer.from_params(Params({"type": "cased_unknown"}))
    batch = Batch([Instance({"tokens": TextField([Token(word) for word in TRAINING], {"tokens": indexer})})])
    return indexer, Vocabulary.from_instances(batch.instances, **limits)


def read(indexer, vocab, *words):
    indices = indexer.tokens_to_indices([Token(word) for word in words], vocab)["tokens"]
    return [vocab.get_token_from_index(index) for index in indices]


def test_unknown_words_with_and_without_a_capital_are_two():
    indexer, vocab = make_vocab(min_count={"tokens": 2})
    unknown = "@@UNKNOWN@@"
    found = read(indexer, vocab, "the", "Ada", "rare", "Rare", "new", "New", "iPhone", "12.5", "É", "é")
    upper = UNKNOWN_CAPITALIZED
    assert found == ["the", "Ada", unknown, upper, unknown, upper, upper, unknown, upper, unknown]


def test_known_words_are_themselves_whatever_their_case():
    indexer, vocab = make_vocab()
    assert read(indexer, vocab, *TRAINING) == TRAINING


def test_no_limit_leaves_the_capitalized_unknown_word_out():
    indexer, vocab = make_vocab(max_vocab_size={"tokens": 2})
    assert read(indexer, vocab, "Nobody") == [UNKNOWN_CAPITALIZED]

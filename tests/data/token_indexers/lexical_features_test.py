import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.data.token_indexers.lexical_features import LexicalFeaturesIndexer
from nerzoo.text.word_forms import NUM_LEXICAL_FEATURES

# Initial capital, all capitals, all lower case, capital inside, letters and digits, punctuation.
FEATURES = {
    "interfax": "001000",
    "Interfax": "100000",
    "NATO": "110100",
    "U.S.": "110101",
    "I": "110000",
    "iPhone": "000100",
    "McDonald": "100100",
    "O'Neill": "100101",
    "rock'n'roll": "001001",
    "1997": "000000",
    "1,000": "000001",
    "B-52": "110011",
    "mp3": "001010",
    "Éire": "100000",
    "ÉIRE": "110100",
    ",": "000001",
    "$": "000001",
    "—": "000000",
    "東京": "000000",
    "": "000000",
}


@pytest.fixture
def indexer() -> TokenIndexer:
    return TokenIndexer.from_params(Params({"type": "lexical_features"}))


def index(indexer, words):
    return indexer.tokens_to_indices([Token(word) for word in words], Vocabulary())["forms"]


def test_number_of_features():
    assert {len(features) for features in FEATURES.values()} == {NUM_LEXICAL_FEATURES}


@pytest.mark.parametrize("word", FEATURES)
def test_features_of_a_word(indexer, word):
    (form,) = index(indexer, [word])
    assert format(form - 1, "06b")[::-1] == FEATURES[word]


def test_no_word_is_indexed_as_padding(indexer):
    assert 0 not in index(indexer, FEATURES)


def test_asks_nothing_of_the_vocabulary(indexer):
    field = TextField([Token("Mara"), Token("left")], {"features": indexer})
    vocab = Vocabulary.from_instances([Instance({"tokens": field})])
    assert vocab == Vocabulary()


def test_pads_beside_other_indexers(indexer):
    indexers = {"tokens": SingleIdTokenIndexer(), "features": indexer}
    batch = Batch(
        [
            Instance({"tokens": TextField([Token(word) for word in words], indexers)})
            for words in (["Mara"], ["a", "B", "1"])
        ]
    )
    batch.index_instances(Vocabulary.from_instances(batch))
    tensors = batch.as_tensor_dict()["tokens"]
    assert tensors["tokens"]["tokens"].shape == (2, 3)
    assert torch.equal(tensors["features"]["forms"], torch.tensor([[2, 0, 0], [5, 4, 1]]))


def test_empty_field_is_padding(indexer):
    field = ListField(
        [TextField([Token("Mara"), Token("left")], {"features": indexer}), TextField([], {"features": indexer})]
    )
    field.index(Vocabulary())
    tensors = field.as_tensor(field.get_padding_lengths())
    assert tensors["features"]["forms"].tolist() == [[2, 5], [0, 0]]


def test_indexers_are_equal(indexer):
    assert indexer == LexicalFeaturesIndexer()

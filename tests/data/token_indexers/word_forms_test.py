from collections import Counter

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.data.fields import WordsField
from nerzoo.data.token_indexers.word_forms import UNKNOWN_CAPITALIZED, CharacterToken, LexicalFeaturesIndexer
from nerzoo.text.word_forms import NUM_LEXICAL_FEATURES

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


WORDS = ["In", "1996", "B12", "٣x", "word"]
READ_AS = ["In", "0000", "B00", "0x", "word"]
INDEXERS = [
    {"type": "single_id"},
    {"type": "single_id", "lowercase_tokens": True},
    {"type": "characters", "min_padding_length": 3},
    {"type": "cached_characters", "min_padding_length": 3},
    {"type": "word_characters"},
]


def tensors(params, words):
    indexer = TokenIndexer.from_params(Params(params))
    batch = Batch([Instance({"tokens": WordsField([Token(word) for word in words], {"words": indexer})})])
    vocab = Vocabulary.from_instances(batch.instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"]["words"], vocab


@pytest.mark.parametrize("indexer", INDEXERS, ids=lambda indexer: "-".join(map(str, indexer.values())))
def test_gives_the_inner_indexers_tensors_of_words_with_zeros_for_digits(indexer):
    found, vocab = tensors({"type": "zero_digits", "indexer": dict(indexer)}, WORDS)
    expected, expected_vocab = tensors(dict(indexer), READ_AS)
    assert vocab.get_index_to_token_vocabulary("tokens") == expected_vocab.get_index_to_token_vocabulary("tokens")
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in found)


def test_an_empty_sentence():
    indexer = TokenIndexer.from_params(Params({"type": "zero_digits", "indexer": "single_id"}))
    assert indexer.get_empty_token_list() == {"tokens": []}


def test_tokens_keep_their_text():
    token = Token("1996")
    indexer = TokenIndexer.from_params(Params({"type": "zero_digits", "indexer": "single_id"}))
    indexer.tokens_to_indices([token], Vocabulary())
    assert token.text == "1996"


@pytest.mark.parametrize("word", ["1996", "B"])
def test_other_attributes_keep_their_digits(word):
    indexer = TokenIndexer.from_params(
        Params({"type": "zero_digits", "indexer": {"type": "single_id", "namespace": "pos", "feature_name": "tag_"}})
    )
    counter = {"pos": Counter()}
    indexer.count_vocab_items(Token(word, tag_="X1"), counter)
    assert counter["pos"] == {"X1": 1}


@pytest.mark.parametrize("character", "B12")
def test_the_word_around_a_character_is_read_with_zeros(character):
    indexer = TokenIndexer.from_params(
        Params({"type": "zero_digits", "indexer": {"type": "single_id", "namespace": "word", "feature_name": "word"}})
    )
    counter = {"word": Counter()}
    indexer.count_vocab_items(CharacterToken(Token(character, idx=0), "B12"), counter)
    assert counter["word"] == {"B00": 1}


def test_indexers_find_the_character_and_its_word():
    token = CharacterToken(Token("石", idx=5, tag_="NR"), "白石镇")
    assert (token.text, token.idx, token.tag_, token.word) == ("石", 5, "NR", "白石镇")
    vocab = Vocabulary(counter={"characters": {"石": 1}, "words": {"山": 1, "白石镇": 1}})
    for feature_name, namespace, expected in (("text", "characters", "石"), ("word", "words", "白石镇")):
        indexer = SingleIdTokenIndexer(namespace=namespace, feature_name=feature_name)
        (index,) = indexer.tokens_to_indices([token], vocab)["tokens"]
        assert vocab.get_token_from_index(index, namespace) == expected

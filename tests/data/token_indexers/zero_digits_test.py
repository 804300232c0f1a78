from collections import Counter

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary

from nerzoo.data.characters import CharacterToken
from nerzoo.data.fields.words_field import WordsField

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

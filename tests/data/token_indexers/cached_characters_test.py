import pickle
from copy import deepcopy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField
from allennlp.data.token_indexers import TokenCharactersIndexer

from nerzoo.data.token_indexers import cached_characters
from nerzoo.data.token_indexers.cached_characters import CachedCharactersIndexer

SENTENCES = [["Mara", "met", "Mara", ",", "Éire", "東京"], ["a"], ["", "O'Neill"]]
UNSEEN = [["Mara", "žs", "met", "Mara"], ["Qu"]]
PARAMETERS = [
    {"min_padding_length": 3},
    {"min_padding_length": 9, "token_min_padding_length": 8},
    {"min_padding_length": 1, "start_tokens": ["<S>"], "end_tokens": ["</S>", "."]},
    {"min_padding_length": 1, "namespace": "letters", "character_tokenizer": {"lowercase_characters": True}},
    {"min_padding_length": 1, "character_tokenizer": {"byte_encoding": "utf-8", "start_tokens": [259]}},
]


def make_instances(indexer, sentences):
    return [Instance({"tokens": TextField([Token(word) for word in words], {"c": indexer})}) for words in sentences]


def tensor(indexer, sentences, vocab, padding_lengths=None):
    batch = Batch(make_instances(indexer, sentences))
    batch.index_instances(vocab)
    return batch.as_tensor_dict(padding_lengths)["tokens"]["c"]["token_characters"]


@pytest.fixture
def indexer() -> TokenIndexer:
    return TokenIndexer.from_params(Params({"type": "cached_characters", "min_padding_length": 3}))


@pytest.fixture
def vocab(indexer) -> Vocabulary:
    return Vocabulary.from_instances(make_instances(indexer, SENTENCES))


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_gives_what_the_characters_indexer_gives(parameters):
    cached = TokenIndexer.from_params(Params({"type": "cached_characters", **deepcopy(parameters)}))
    plain = TokenIndexer.from_params(Params({"type": "characters", **deepcopy(parameters)}))
    assert isinstance(plain, TokenCharactersIndexer) and not isinstance(plain, CachedCharactersIndexer)
    vocab = Vocabulary.from_instances(make_instances(cached, SENTENCES))
    assert vocab == Vocabulary.from_instances(make_instances(plain, SENTENCES))
    # The second time from the cache.
    for sentences in (SENTENCES, SENTENCES, UNSEEN, SENTENCES[1:2]):
        found, expected = tensor(cached, sentences, vocab), tensor(plain, sentences, vocab)
        assert found.dtype == expected.dtype and torch.equal(found, expected)


def test_cuts_words_and_sentences_as_the_characters_indexer_does(indexer, vocab):
    lengths = {"tokens": {"c___token_characters": 3, "c___num_token_characters": 2}}
    found = tensor(indexer, SENTENCES, vocab, lengths)
    assert found.shape == (3, 3, 2)
    assert torch.equal(found, tensor(TokenCharactersIndexer(min_padding_length=3), SENTENCES, vocab, lengths))


def test_empty_field_is_padding(indexer, vocab):
    field = ListField([TextField([Token("met")], {"c": indexer}), TextField([], {"c": indexer})])
    field.index(vocab)
    found = field.as_tensor(field.get_padding_lengths())["c"]["token_characters"]
    assert found.shape == (2, 1, 3)
    assert found[0].all() and not found[1].any()


def test_batches_share_no_memory(indexer, vocab):
    first = tensor(indexer, SENTENCES, vocab)
    expected = first.clone()
    first.zero_()
    assert torch.equal(tensor(indexer, SENTENCES, vocab), expected)


def test_another_vocabulary_starts_anew(indexer, vocab):
    other = Vocabulary.from_instances(make_instances(indexer, UNSEEN))
    assert not torch.equal(tensor(indexer, UNSEEN, vocab), tensor(indexer, UNSEEN, other))
    for either in (vocab, other, vocab):
        expected = tensor(TokenCharactersIndexer(min_padding_length=3), UNSEEN, either)
        assert torch.equal(tensor(indexer, UNSEEN, either), expected)


def test_a_grown_vocabulary_starts_anew(indexer, vocab):
    before = tensor(indexer, UNSEEN, vocab)
    vocab.extend_from_instances(make_instances(indexer, UNSEEN))
    after = tensor(indexer, UNSEEN, vocab)
    assert not torch.equal(before, after)
    assert torch.equal(after, tensor(TokenCharactersIndexer(min_padding_length=3), UNSEEN, vocab))


def test_the_cache_is_bounded(indexer, vocab, monkeypatch):
    monkeypatch.setattr(cached_characters, "MAX_WORDS", 2)
    found = tensor(indexer, SENTENCES, vocab)
    assert torch.equal(found, tensor(TokenCharactersIndexer(min_padding_length=3), SENTENCES, vocab))
    assert len(indexer._indexed) <= 2


def test_can_be_pickled_with_what_it_has_indexed(indexer, vocab):
    expected = tensor(indexer, SENTENCES, vocab)
    assert torch.equal(tensor(pickle.loads(pickle.dumps(indexer)), SENTENCES, vocab), expected)


def test_a_token_without_text_is_an_error(indexer, vocab):
    with pytest.raises(ConfigurationError, match="retains text"):
        indexer.tokens_to_indices([Token("met"), Token(text_id=3)], vocab)

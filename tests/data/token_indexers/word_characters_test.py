import pickle

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.nn.util import get_text_field_mask

from nerzoo.data.fields.words_field import WordsField

SENTENCES = [["Mara", "met", "mara", "in", "1994"], ["Mara"], ["met", "in", "1986", "東京"]]
UNSEEN = [["Mara", "Quill", "met", "京東"], ["東", "京"]]


def make_indexer(**parameters) -> TokenIndexer:
    return TokenIndexer.from_params(Params({"type": "word_characters", **parameters}))


def make_instances(sentences, field=WordsField, **indexers):
    return [Instance({"tokens": field([Token(word) for word in words], dict(indexers))}) for words in sentences]


def make_tensors(sentences, vocab, field=WordsField, **indexers):
    batch = Batch(make_instances(sentences, field, **indexers))
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"]


@pytest.fixture
def vocab() -> Vocabulary:
    # Words that occur twice are known: Mara, met, in.
    return Vocabulary.from_instances(make_instances(SENTENCES, words=make_indexer()), min_count={"tokens": 2})


@pytest.mark.parametrize("sentences", [SENTENCES, UNSEEN, SENTENCES[1:2]])
def test_gives_what_allennlps_indexers_give(vocab, sentences):
    indexers = {"tokens": SingleIdTokenIndexer(), "characters": TokenCharactersIndexer(min_padding_length=1)}
    expected = make_tensors(sentences, vocab, **indexers)
    found = make_tensors(sentences, vocab, TextField, words=make_indexer())["words"]
    assert found.keys() == {"words", "known", "characters"}
    assert torch.equal(found["words"], expected["tokens"]["tokens"])
    assert torch.equal(found["characters"], expected["characters"]["token_characters"])


def test_counts_what_allennlps_indexers_count():
    indexers = {"tokens": SingleIdTokenIndexer(), "characters": TokenCharactersIndexer(min_padding_length=1)}
    vocab = Vocabulary.from_instances(make_instances(SENTENCES, words=make_indexer()))
    assert vocab == Vocabulary.from_instances(make_instances(SENTENCES, **indexers))


def test_rare_and_unseen_words_are_unknown(vocab):
    known = make_tensors([SENTENCES[0], UNSEEN[0]], vocab, words=make_indexer())["words"]["known"]
    assert known.dtype == torch.bool
    assert known.tolist() == [[True, True, False, True, False], [True, False, True, False, False]]


@pytest.mark.parametrize("sentences", [SENTENCES, UNSEEN, [["Mara"]]])
def test_a_batch_has_each_distinct_word_once(vocab, sentences):
    of_tokens = make_tensors(sentences, vocab, TextField, words=make_indexer())["words"]
    of_words = make_tensors(sentences, vocab, words=make_indexer())["words"]
    for name in ("words", "known"):
        assert torch.equal(of_words[name], of_tokens[name])
    assert torch.equal(of_words["characters"][of_words["rows"]], of_tokens["characters"])
    # A row is of one word.
    pairs = torch.stack([of_words["rows"], of_words["words"]]).flatten(1).unique(dim=1)
    assert pairs.shape[1] == len(of_words["characters"])
    assert len(of_words["characters"]) <= len({word for words in sentences for word in words}) + 1


def test_words_with_the_same_unknown_characters_stay_apart():
    vocab = Vocabulary(tokens_to_add={"tokens": ["東", "京"], "token_characters": ["a"]})
    tensors = make_tensors([["東", "京", "東"]], vocab, words=make_indexer())["words"]
    assert tensors["characters"].tolist() == [[1], [1]]
    first, second, third = tensors["rows"][0].tolist()
    assert first == third != second


@pytest.mark.parametrize("field", [TextField, WordsField])
def test_mask_is_that_of_the_words(vocab, field):
    mask = get_text_field_mask(make_tensors(SENTENCES, vocab, field, words=make_indexer()))
    assert mask.tolist() == [[True] * 5, [True] + [False] * 4, [True] * 4 + [False]]


def test_lower_case_is_for_words_alone():
    indexer = make_indexer(lowercase_words=True)
    vocab = Vocabulary.from_instances(make_instances(SENTENCES, words=indexer))
    assert vocab.get_token_index("mara") != vocab.get_token_index("Mara") == 1
    assert vocab.get_token_index("M", "token_characters") != 1
    words = make_tensors(SENTENCES, vocab, words=indexer)["words"]["words"]
    assert words[0, 0] == words[0, 2] == words[1, 0]


def test_digits_are_zeros_in_words_and_characters():
    indexer = make_indexer(zero_digits=True)
    vocab = Vocabulary.from_instances(make_instances(SENTENCES, words=indexer))
    tensors = make_tensors(SENTENCES, vocab, words=indexer)["words"]
    assert vocab.get_token_from_index(tensors["words"][0, 4].item()) == "0000"
    assert tensors["rows"][0, 4] == tensors["rows"][2, 2]
    zero = vocab.get_token_index("0", "token_characters")
    assert tensors["characters"][tensors["rows"][0, 4]].tolist() == [zero] * 4


def test_namespaces_and_padding():
    indexer = make_indexer(
        namespace="forms", character_namespace="letters", min_padding_length=9, token_min_padding_length=7
    )
    vocab = Vocabulary.from_instances(make_instances(SENTENCES, words=indexer))
    assert vocab.get_token_index("Mara", "forms") > 1 and vocab.get_token_index("M", "letters") > 1
    tensors = make_tensors(SENTENCES, vocab, words=indexer)["words"]
    assert tensors["words"].shape == tensors["known"].shape == tensors["rows"].shape == (3, 7)
    assert tensors["characters"].shape[1] == 9


def test_empty_field_is_padding(vocab):
    indexers = {"words": make_indexer()}
    field = ListField([TextField([Token("met")], indexers), TextField([], indexers)])
    field.index(vocab)
    found = field.as_tensor(field.get_padding_lengths())["words"]
    assert found["words"][0].all() and not found["words"][1].any()
    assert not found["known"][1].any() and not found["characters"][1].any()


@pytest.mark.parametrize("length", [0, 501, 1000])
def test_empty_and_endless_words_are_errors(vocab, length):
    message = f"found a word of {length} characters, '{'x' * min(length, 20)}', expected 1 to 500, .*max_word_length"
    with pytest.raises(ConfigurationError, match=message):
        Vocabulary.from_instances(make_instances([["Mara", "x" * length]], words=make_indexer()))
    with pytest.raises(ConfigurationError, match=message):
        make_tensors([["Mara", "x" * length]], vocab, words=make_indexer())


def test_the_longest_word_can_be_longer():
    sentences = [["x" * 1000]]
    indexer = make_indexer(max_word_length=1000)
    vocab = Vocabulary.from_instances(make_instances(sentences, words=indexer))
    assert make_tensors(sentences, vocab, words=indexer)["words"]["characters"].shape == (1, 1000)


def test_can_be_pickled(vocab):
    indexer = make_indexer(zero_digits=True)
    expected = make_tensors(SENTENCES, vocab, words=indexer)["words"]
    found = make_tensors(SENTENCES, vocab, words=pickle.loads(pickle.dumps(indexer)))["words"]
    assert all(torch.equal(found[name], tensor) for name, tensor in expected.items())

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField

from nerzoo.data.fields import BatchedTextField

SENTENCES = [["Mara", "met", "Mara", ",", "O'Neill"], ["a"], ["in", "Éire"]]
INDEXERS = {
    "words": {"type": "single_id", "lowercase_tokens": True, "token_min_padding_length": 6},
    "bounded": {"type": "single_id", "start_tokens": ["<S>"]},
    "forms": {"type": "lexical_features"},
    "cached": {"type": "cached_characters", "min_padding_length": 3},
    "plain": {"type": "characters", "min_padding_length": 3},
    "elmo": {"type": "elmo_characters"},
}


@pytest.fixture
def indexers():
    return {name: TokenIndexer.from_params(Params(dict(params))) for name, params in INDEXERS.items()}


def make_batch(field, indexers, sentences=SENTENCES) -> Batch:
    return Batch([Instance({"tokens": field([Token(word) for word in words], indexers)}) for words in sentences])


def assert_same(found, expected):
    assert {name: set(tensors) for name, tensors in found.items()} == {
        name: set(tensors) for name, tensors in expected.items()
    }
    for name, tensors in expected.items():
        for key, tensor in tensors.items():
            assert found[name][key].dtype == tensor.dtype
            assert torch.equal(found[name][key], tensor), (name, key)


def tensors(batch, vocab, lengths=None):
    batch.index_instances(vocab)
    return batch.as_tensor_dict(lengths)["tokens"]


@pytest.mark.parametrize("sentences", [SENTENCES, SENTENCES[:1], SENTENCES[1:2], SENTENCES[::-1]])
def test_gives_what_a_text_field_gives(indexers, sentences):
    vocab = Vocabulary.from_instances(make_batch(TextField, indexers))
    found = tensors(make_batch(BatchedTextField, indexers, sentences), vocab)
    assert_same(found, tensors(make_batch(TextField, indexers, sentences), vocab))


def test_pads_and_cuts_to_given_lengths(indexers):
    vocab = Vocabulary.from_instances(make_batch(TextField, indexers))
    lengths = {"tokens": {"words___tokens": 2, "cached___token_characters": 9, "cached___num_token_characters": 2}}
    found = tensors(make_batch(BatchedTextField, indexers), vocab, lengths)
    assert found["words"]["tokens"].shape == (3, 2)
    assert found["cached"]["token_characters"].shape == (3, 9, 2)
    assert_same(found, tensors(make_batch(TextField, indexers), vocab, lengths))


def test_lists_of_fields(indexers):
    vocab = Vocabulary.from_instances(make_batch(TextField, indexers))
    found, expected = (
        ListField([instance["tokens"] for instance in make_batch(field, indexers)])
        for field in (BatchedTextField, TextField)
    )
    for field in (found, expected):
        field.index(vocab)
    lengths = expected.get_padding_lengths()
    assert found.get_padding_lengths() == lengths
    assert_same(found.as_tensor(lengths), expected.as_tensor(lengths))


def test_booleans_are_padded_by_false():
    class HasCapital(TokenIndexer):
        def tokens_to_indices(self, tokens, vocabulary):
            return {"capital": [token.text[0].isupper() for token in tokens]}

        def count_vocab_items(self, token, counter):
            pass

    found = tensors(make_batch(BatchedTextField, {"c": HasCapital()}, [["Mara", "left"], ["I"]]), Vocabulary())
    assert torch.equal(found["c"]["capital"], torch.tensor([[True, False], [True, False]]))

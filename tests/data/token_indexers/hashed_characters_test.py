import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import TextField
from allennlp.modules.token_embedders import Embedding
from allennlp.nn.util import get_text_field_mask

from nerzoo.data.token_indexers.hashed_characters import HashedCharactersIndexer
from nerzoo.modules.span_features.character_cnn import CharacterCnn
from nerzoo.modules.span_features.fofe_characters import FofeCharacters
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.text.word_forms import NUM_HASHES


@pytest.fixture
def indexer():
    return TokenIndexer.from_params(Params({"type": "hashed_characters"}))


def tensors(indexer, *sentences):
    fields = [TextField([Token(word) for word in words], {"characters": indexer}) for words in sentences]
    batch = Batch([Instance({"tokens": field}) for field in fields])
    vocab = Vocabulary.from_instances(batch.instances)
    assert vocab == Vocabulary()
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"]


def test_hashes_of_words(indexer):
    # The UTF-8 encodings of ñ, á, € and 😀 are C3 B1, C3 A1, E2 82 AC and F0 9F 98 80.
    words = ["Az", "ñ!1", "á", "€", "😀", "\ud83d"]
    encoded = [[0x41, 0x7A], [0xC3B1, 0x21, 0x31], [0xC3A1], [0xE282AC], [0xF09F9880], [0xEDA0BD]]
    hashes = [[code % 128 for code in word] for word in encoded]
    assert hashes[4] == [0]
    found = indexer.tokens_to_indices([Token(word) for word in words], Vocabulary())["token_characters"]
    assert found == [[1 + hash for hash in word] for word in hashes]


def test_no_character_is_padding(indexer):
    word = "".join(map(chr, [*range(0x800), 0x4E00, 0x1F600]))
    (indices,) = indexer.tokens_to_indices([Token(word)], Vocabulary())["token_characters"]
    assert set(indices) == set(range(1, NUM_HASHES + 1))


def test_tensors_of_a_batch(indexer):
    tokens = tensors(indexer, ["año"], ["el", "😀"])
    assert tokens["characters"]["token_characters"].tolist() == [
        [[98, 50, 112], [0, 0, 0]],
        [[102, 109, 0], [1, 0, 0]],
    ]
    assert get_text_field_mask(tokens, num_wrapping_dims=0).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize("features", [FofeCharacters, CharacterCnn])
def test_features_of_spans_read_them(indexer, features):
    torch.manual_seed(0)
    part = features("characters", Embedding(3, num_embeddings=NUM_HASHES + 1))
    tokens = tensors(indexer, ["a😀"], ["El", "ñandú", "x"])
    mask = get_text_field_mask(tokens)
    encoded = part.encode(FeatureInputs(tokens, mask, 7))
    found = part(encoded, torch.tensor([[0, 0, 1], [1, 0, 2], [1, 1, 3]]))
    assert found.shape == (3, part.get_output_dim()) and found.isfinite().all()
    # That of a sentence alone: padding, and a character of hash 0, do not change it.
    alone = tensors(indexer, ["El", "ñandú", "x"])
    expected = part(
        part.encode(FeatureInputs(alone, get_text_field_mask(alone), 7)), torch.tensor([[0, 0, 2], [0, 1, 3]])
    )
    torch.testing.assert_close(found[1:], expected)


def test_empty_text_field(indexer):
    field = TextField([], {"characters": indexer})
    field.index(Vocabulary())
    assert field.as_tensor(field.get_padding_lengths())["characters"]["token_characters"].numel() == 0


def test_indexers_are_equal(indexer):
    assert indexer == HashedCharactersIndexer()

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import TokenCharactersIndexer
from allennlp.modules import TokenEmbedder
from torch.testing import assert_close

from nerzoo.modules.token_embedders.word_forms import FofeEmbedder

SENTENCES = [["a"], ["Lindow", "noon", "U.S.", "on"]]
SIZE, ALPHA = 3, 0.8


@pytest.fixture
def batch():
    indexers = {"characters": TokenCharactersIndexer(min_padding_length=1)}
    batch = Batch([Instance({"tokens": TextField(list(map(Token, words)), indexers)}) for words in SENTENCES])
    batch.index_instances(Vocabulary.from_instances(batch))
    return batch


@pytest.fixture
def characters(batch) -> torch.Tensor:
    return batch.as_tensor_dict()["tokens"]["characters"]["token_characters"]


def make_embedder(batch, **params) -> FofeEmbedder:
    torch.manual_seed(3)
    embedding = {"embedding_dim": SIZE, "vocab_namespace": "token_characters"}
    params = Params({"type": "fofe", "embedding": embedding, "alpha": ALPHA, **params})
    return TokenEmbedder.from_params(params, vocab=Vocabulary.from_instances(batch)).double()


def test_words_have_the_codes_of_their_characters_in_both_directions(batch, characters):
    embedder = make_embedder(batch)
    outputs = embedder(characters)
    assert embedder.get_output_dim() == outputs.shape[-1] == 2 * SIZE
    vocab, weight = Vocabulary.from_instances(batch), embedder._embedding._module.weight
    for words, row in zip(SENTENCES, outputs, strict=True):
        for word, output in zip(words, row, strict=False):
            vectors = [weight[vocab.get_token_index(character, "token_characters")] for character in word]
            right = left = 0
            for vector in vectors:
                right = ALPHA * right + vector
            for vector in reversed(vectors):
                left = ALPHA * left + vector
            assert_close(output, torch.cat([right, left]))
        assert not row[len(words) :].any()


def test_palindromes_alone_read_the_same_in_both_directions(batch, characters):
    right, left = make_embedder(batch)(characters)[1].chunk(2, -1)
    assert [torch.equal(*codes) for codes in zip(right, left, strict=True)] == [False, True, False, False]


def test_embedding_learns(batch, characters):
    embedder = make_embedder(batch)
    embedder(characters).square().sum().backward()
    (weight,) = embedder.parameters()
    assert weight.grad[characters.unique()[1:]].any(1).all()


def test_alpha_out_of_range_is_an_error(batch):
    with pytest.raises(ConfigurationError, match=r"found alpha = 1.5, expected .* in \(0, 1\]"):
        make_embedder(batch, alpha=1.5)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(batch, characters):
    embedder = make_embedder(batch)
    on_cpu = embedder(characters)
    assert_close(embedder.to("cuda")(characters.to("cuda")).cpu(), on_cpu)

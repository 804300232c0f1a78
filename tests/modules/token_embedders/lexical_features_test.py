import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.nn.util import get_text_field_mask

from nerzoo.data.token_indexers.word_forms import LexicalFeaturesIndexer
from nerzoo.modules.token_embedders.word_forms import LexicalFeaturesEmbedder

SENTENCES = [["Mara"], ["the", "U.S.", "1997", "B-52"]]
PADDING = [0, 0, 0, 0, 0, 0]
EXPECTED = [
    [[1, 0, 0, 0, 0, 0], PADDING, PADDING, PADDING],
    [[0, 0, 1, 0, 0, 0], [1, 1, 0, 1, 0, 1], [0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 1, 1]],
]


@pytest.fixture
def embedder() -> LexicalFeaturesEmbedder:
    return TokenEmbedder.from_params(Params({"type": "lexical_features"}))


def read(indexers):
    """The sentences as a batch, and the vocabulary."""
    batch = Batch([Instance({"tokens": TextField(list(map(Token, words)), indexers)}) for words in SENTENCES])
    vocab = Vocabulary.from_instances(batch)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"], vocab


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_features_of_words_and_padding(embedder, dtype):
    tokens, _ = read({"lexical_features": LexicalFeaturesIndexer()})
    features = embedder.to(dtype)(**tokens["lexical_features"])
    assert features.dtype is dtype
    assert embedder.get_output_dim() == features.shape[-1]
    assert features.tolist() == EXPECTED


def test_beside_word_vectors():
    indexers = {"tokens": SingleIdTokenIndexer(), "lexical_features": LexicalFeaturesIndexer()}
    tokens, vocab = read(indexers)
    params = {
        "token_embedders": {
            "tokens": {"type": "embedding", "embedding_dim": 3},
            "lexical_features": {"type": "lexical_features"},
        }
    }
    embedder = TextFieldEmbedder.from_params(Params(params), vocab=vocab)
    embedded = embedder(tokens)
    assert embedder.get_output_dim() == 9
    assert embedded[..., -6:].tolist() == EXPECTED or embedded[..., :6].tolist() == EXPECTED


def test_mask_follows_from_the_features_alone():
    tokens, _ = read({"lexical_features": LexicalFeaturesIndexer()})
    assert get_text_field_mask(tokens).tolist() == [[True, False, False, False], [True, True, True, True]]


def test_nothing_is_learned_or_saved(embedder):
    assert not list(embedder.parameters())
    assert not embedder.state_dict()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(embedder):
    tokens, _ = read({"lexical_features": LexicalFeaturesIndexer()})
    forms = tokens["lexical_features"]["forms"]
    assert torch.equal(embedder.to("cuda")(forms.to("cuda")).cpu(), torch.tensor(EXPECTED, dtype=torch.float))

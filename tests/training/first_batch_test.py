import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2vec_encoders import BagOfEmbeddingsEncoder
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder

from nerzoo.training.trainer import checked_indices


def characters():
    return TokenCharactersEncoder(Embedding(2, num_embeddings=5), BagOfEmbeddingsEncoder(2))


def test_indices_that_fit():
    model = torch.nn.ModuleDict({"words": Embedding(2, num_embeddings=5), "characters": characters()})
    with checked_indices(model):
        model["words"](torch.tensor([[4, 0]]))
        model["words"](torch.zeros(1, 0, dtype=torch.long))
        model["characters"](torch.tensor([[[4, 0], [1, 0]]]))


def test_an_index_of_another_namespace():
    model = torch.nn.ModuleDict({"words": Embedding(2, num_embeddings=5)})
    message = "^words: found the index 5, expected at most 4: indexer and embedder have different"
    with pytest.raises(ConfigurationError, match=message), checked_indices(model):
        model["words"](torch.tensor([[5, 0]]))
    # No longer checked.
    with pytest.raises(IndexError):
        model["words"](torch.tensor([[5, 0]]))


def test_words_where_characters_are_expected():
    model = torch.nn.ModuleDict({"characters": characters()})
    message = r"^characters: found indices of shape \[1, 2\], expected those of the characters"
    with pytest.raises(ConfigurationError, match=message), checked_indices(model):
        model["characters"](torch.tensor([[4, 0]]))

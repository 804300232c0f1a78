import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from torch.testing import assert_close

VOCAB_SIZE, SIZE = 7, 5
CNN = {"type": "cnn", "embedding_dim": SIZE, "num_filters": 3, "ngram_filter_sizes": [2, 3]}
ENCODERS = [CNN, {"type": "lstm", "input_size": SIZE, "hidden_size": 3}, {"type": "boe", "embedding_dim": SIZE}]


def make_embedder(type_: str, encoder=CNN, dropout: float = 0.0) -> TokenEmbedder:
    embedding = {"embedding_dim": SIZE, "num_embeddings": VOCAB_SIZE}
    params = {"type": type_, "embedding": embedding, "encoder": dict(encoder), "dropout": dropout}
    # AllenNLP's CNN masks by the least number of float64 in float32, which is minus infinity.
    return TokenEmbedder.from_params(Params(params), vocab=Vocabulary())


def make_characters(batch_size: int, length: int, width: int) -> torch.LongTensor:
    """Few distinct words, some of them beginnings of others, and padding of sentences down to none."""
    torch.manual_seed(1)
    words = torch.randint(1, VOCAB_SIZE, (4, width)) * (torch.arange(width) < torch.randint(1, width + 1, (4, 1)))
    words[1] = words[0] * (torch.arange(width) < width - 1)
    lengths = torch.randint(0, length + 1, (batch_size, 1))
    lengths[0] = length
    return words[torch.randint(4, (batch_size, length))] * (torch.arange(length) < lengths).unsqueeze(-1)


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder["type"])
@pytest.mark.parametrize("shape", [(3, 7, 5), (1, 1, 3), (5, 1, 4), (1, 6, 3)])
def test_gives_what_character_encoding_gives(encoder, shape):
    characters = make_characters(*shape)
    distinct = make_embedder("distinct_characters", encoder).eval()
    plain = make_embedder("character_encoding", encoder).eval()
    plain.load_state_dict(distinct.state_dict())
    assert distinct.get_output_dim() == plain.get_output_dim()
    assert_close(distinct(characters), plain(characters))


def test_takes_a_batch_that_is_not_contiguous():
    characters = make_characters(4, 6, 5)
    embedder = make_embedder("distinct_characters").eval()
    assert_close(embedder(characters.transpose(0, 1)), embedder(characters).transpose(0, 1))


@pytest.mark.parametrize("training", [False, True])
def test_encodes_each_word_once_in_evaluation(training):
    characters = make_characters(4, 6, 5)
    embedder = make_embedder("distinct_characters").train(training)
    rows = []
    embedder._encoder._module.register_forward_pre_hook(lambda _, inputs: rows.append(len(inputs[0])))
    embedder(characters)
    words = characters.flatten(0, 1)
    assert rows == [len(words if training else words.unique(dim=0))]
    assert len(words) > len(words.unique(dim=0))


@pytest.mark.parametrize("training", [False, True])
def test_what_is_masked_stays_out_under_autocast(training):
    characters = make_characters(4, 6, 5)
    embedder = make_embedder("distinct_characters").train(training)
    with torch.autocast("cpu", torch.bfloat16):
        found = embedder(characters)
    assert_close(found, embedder(characters))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    characters = make_characters(3, 7, 5)
    embedder = make_embedder("distinct_characters").eval()
    on_cpu = embedder(characters)
    assert_close(embedder.to("cuda")(characters.to("cuda")).cpu(), on_cpu)

import gzip

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from torch.testing import assert_close

from nerzoo.formats import word_vectors
from nerzoo.modules.token_embedders import embedding

COUNTS = {"tokens": {"the": 5, "kiln": 2, "Ada": 1, "0000": 3}}
VECTORS = {"the": [0.5, -1.25, 3.0], "kiln": [1.0, 2.0, -0.001], "unseen": [-0.5, 0.25, 0.1234]}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} {' '.join(map(str, vector))}\n" for word, vector in VECTORS.items()))
    return path


def vocabulary(file):
    return Vocabulary(
        counter=COUNTS,
        min_count={"tokens": 2},
        pretrained_files={"tokens": str(file)},
        min_pretrained_embeddings={"tokens": -1},
    )


def embedder(vocab, file=None, size=3, **options):
    params = {"type": "fixed_embedding", "embedding_dim": size, **options}
    if file is not None:
        params["pretrained_file"] = str(file)
    return TokenEmbedder.from_params(Params(params), vocab=vocab)


def indices(vocab, *words):
    return torch.tensor([[vocab.get_token_index(word) for word in words]])


def test_every_word_of_the_file_has_its_vector_and_all_others_trained_ones(file):
    vocab = vocabulary(file)
    module = embedder(vocab, file)
    found = module(indices(vocab, *VECTORS))[0]
    assert_close(found, torch.tensor(list(VECTORS.values())), rtol=2**-11, atol=0)
    # "0000" is frequent enough to be learned; "Ada" and what neither has are the one unknown word.
    learned, rare, unknown = module(indices(vocab, "0000", "Ada", "nowhere"))[0]
    assert torch.equal(rare, unknown) and not torch.equal(learned, unknown)
    assert module.trained.shape == (3, 3)


def test_gradients_go_to_the_words_without_a_vector_alone(file):
    vocab = vocabulary(file)
    module = embedder(vocab, file)
    module(indices(vocab, "the", "0000", "nowhere", "unseen")).sum().backward()
    assert [name for name, _ in module.named_parameters()] == ["trained"]
    assert module.trained.grad.tolist() == [[0.0] * 3, [1.0] * 3, [1.0] * 3]


def test_padding_is_zero(file):
    module = embedder(vocabulary(file), file)
    assert not module(torch.zeros(2, 3, dtype=torch.long)).any()


def test_shapes(file):
    vocab = vocabulary(file)
    module = embedder(vocab, file)
    assert module.get_output_dim() == 3
    assert module(torch.ones(2, 5, 7, dtype=torch.long)).shape == (2, 5, 7, 3)


def test_a_model_without_the_file_loads_the_same_vectors(file, tmp_path):
    vocab = vocabulary(file)
    module = embedder(vocab, file)
    vocab.save_to_files(tmp_path / "vocabulary")
    loaded = embedder(Vocabulary.from_files(tmp_path / "vocabulary"))
    loaded.load_state_dict(module.state_dict())
    words = torch.arange(vocab.get_vocab_size()).unsqueeze(0)
    assert torch.equal(loaded(words), module(words))


def test_loading_double_precision_keeps_single_precision(file):
    vocab = vocabulary(file)
    module = embedder(vocab, file)
    loaded = embedder(vocab)
    loaded.load_state_dict(module.double().state_dict())
    assert loaded.trained.dtype == torch.float32


@pytest.mark.parametrize("bits", [16, 8])
def test_a_fixed_number_takes_its_bits(bits, file):
    state = embedder(vocabulary(file), file, bits=bits).state_dict()
    assert 8 * state["fixed"].element_size() == bits


def test_8_bits_keep_each_vector_to_the_254th_of_its_largest_number(file):
    file.write_text(file.read_text() + "0000 0 0 0\n")
    vocab = vocabulary(file)
    module = embedder(vocab, file, bits=8)
    expected = torch.tensor(list(VECTORS.values()))
    error = (module(indices(vocab, *VECTORS))[0] - expected).abs()
    # A scale is kept in half precision.
    assert (error <= expected.abs().amax(1, keepdim=True) * (1 / 254 + 2**-11)).all() and error.any()
    assert not module(indices(vocab, "0000")).any()


def test_a_model_with_8_bits_loads_the_same_vectors(file, tmp_path):
    vocab = vocabulary(file)
    module = embedder(vocab, file, bits=8)
    loaded = embedder(vocab, bits=8)
    loaded.load_state_dict(module.state_dict())
    words = torch.arange(vocab.get_vocab_size()).unsqueeze(0)
    assert torch.equal(loaded(words), module(words))


@pytest.mark.parametrize("bits", [16, 8, 4])
def test_begins_with_the_vectors_of_a_smaller_vocabulary(bits, file):
    size = 4 if bits == 4 else 3
    if bits == 4:
        file.write_text(file.read_text().replace("\n", " 0.7\n"))
    vocab = vocabulary(file)
    module = embedder(vocab, file, size, bits=bits)
    words = torch.arange(vocab.get_vocab_size()).unsqueeze(0)
    vocab.add_token_to_namespace("kestrel")
    larger = embedder(vocab, size=size, bits=bits)
    larger.begin_with(module.state_dict())
    assert torch.equal(larger(words), module(words))
    new = larger(indices(vocab, "kestrel"))
    new.sum().backward()
    assert new.any() and larger.trained.grad[-1].tolist() == [1.0] * size and not larger.trained.grad[:-1].any()


@pytest.mark.parametrize("bits, other", [(16, 8), (8, 16), (8, None)])
def test_begin_with_skips_vectors_with_other_bits(bits, other, file):
    vocab = vocabulary(file)
    module = embedder(vocab, file, bits=bits)
    weights = {"weight": torch.ones(2, 3)} if other is None else embedder(vocab, file, bits=other).state_dict()
    before = {name: tensor.clone() for name, tensor in module.state_dict().items()}
    module.begin_with(weights)
    assert all(torch.equal(tensor, before[name]) for name, tensor in module.state_dict().items())


def test_begin_with_skips_vectors_of_another_size(file):
    module, other = embedder(vocabulary(file), size=4), embedder(vocabulary(file), file)
    module.begin_with(other.state_dict())
    assert module.trained.shape[1] == 4


def test_other_bits_are_refused(file):
    with pytest.raises(ConfigurationError, match="found the bits 5, expected 4, 8 or 16"):
        embedder(vocabulary(file), bits=5)
    with pytest.raises(ConfigurationError, match="an embedding_dim of 3 in 4 bits, expected an even one"):
        embedder(vocabulary(file), bits=4)


def test_without_a_file_all_vectors_are_trained():
    vocab = Vocabulary(counter=COUNTS)
    module = embedder(vocab)
    module(torch.arange(vocab.get_vocab_size()).unsqueeze(0)).sum().backward()
    assert (module.trained.grad[1:] == 1).all() and len(module.trained) == vocab.get_vocab_size()


def test_trained_vectors_are_of_the_size_of_the_fixed_ones(tmp_path):
    torch.manual_seed(1)
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"w{i} {' '.join(map(str, (0.1 * torch.randn(50)).tolist()))}\n" for i in range(100)))
    vocab = Vocabulary(tokens_to_add={"tokens": [f"w{i}" for i in range(100)] + [f"v{i}" for i in range(100)]})
    assert embedder(vocab, path, 50).trained[1:].std().item() == pytest.approx(0.1, rel=0.1)


def test_reads_gzipped_files_with_a_header_of_word2vec(file, tmp_path):
    vocab = vocabulary(file)
    path = tmp_path / "vectors.txt.gz"
    path.write_bytes(gzip.compress(b"3 3\n" + file.read_bytes()))
    assert torch.equal(embedder(vocab, path).fixed, embedder(vocab, file).fixed)


@pytest.mark.parametrize("lines_at_a_time", [1, 4096])
def test_the_first_vector_of_a_repeated_word_counts(lines_at_a_time, file, tmp_path, monkeypatch):
    monkeypatch.setattr(word_vectors, "_LINES_AT_A_TIME", lines_at_a_time)
    vocab = vocabulary(file)
    path = tmp_path / "repeated.txt"
    path.write_text(file.read_text() + "kiln 7 8 9\nthe 7 8 9\n")
    assert torch.equal(embedder(vocab, path).fixed, embedder(vocab, file).fixed)


@pytest.mark.parametrize("line", ["kiln 1.0 2.0", "kiln 1.0 2.0 3.0 4.0", "kiln 1.0 x 3.0", "kiln 1 nan 3", "kiln"])
def test_a_bad_line_is_named(line, file, tmp_path):
    vocab = vocabulary(file)
    path = tmp_path / "bad.txt"
    path.write_text(f"the 1 2 3\n{line}\n")
    with pytest.raises(ConfigurationError, match="bad.txt:2: found 'kiln.*expected a word and 3 finite numbers"):
        embedder(vocab, path)


def test_vectors_without_numbers_are_refused(file):
    with pytest.raises(ConfigurationError, match="vectors.txt:1: found 'the .*expected a word and 0 finite numbers"):
        embedder(vocabulary(file), file, size=0)


def test_a_file_without_a_word_of_the_vocabulary_is_refused(tmp_path):
    path = tmp_path / "other.txt"
    path.write_text("zzz 1 2 3\n")
    message = "other.txt: found vectors for none of the 4 words that the vocabulary has of the data, expected vectors"
    with pytest.raises(ConfigurationError, match=message):
        embedder(Vocabulary(counter=COUNTS), path)
    # The vocabulary has the words of the file, too.
    with pytest.raises(ConfigurationError, match=message.replace("4", "3")):
        embedder(vocabulary(path), path)


def test_a_file_with_a_vector_of_the_unknown_word_alone_is_refused(tmp_path):
    path = tmp_path / "other.txt"
    path.write_text("<unk> 1 2 3\n")
    counted = Vocabulary(counter=COUNTS, oov_token="<unk>")
    counted.save_to_files(tmp_path / "vocabulary")
    for vocab in (counted, Vocabulary.from_files(tmp_path / "vocabulary", oov_token="<unk>")):
        with pytest.raises(ConfigurationError, match="other.txt: found vectors for none of the 4 words"):
            embedder(vocab, path)


def test_half_precision_under_autocast(file):
    vocab = vocabulary(file)
    module = embedder(vocab, file)
    with torch.autocast("cpu", torch.bfloat16):
        assert module(indices(vocab, "the", "0000")).isfinite().all()


def test_nothing_is_trained_where_the_file_has_all_words_and_the_unknown_one(file):
    vocab = Vocabulary(
        counter=COUNTS,
        pretrained_files={"tokens": str(file)},
        min_pretrained_embeddings={"tokens": -1},
        only_include_pretrained_words=True,
        oov_token="unseen",
    )
    module = embedder(vocab, file)
    assert not any(parameter.requires_grad for parameter in module.parameters())
    assert torch.equal(*module(indices(vocab, "unseen", "nowhere"))[0])
    loaded = embedder(vocab)
    loaded.load_state_dict(module.state_dict())
    assert not any(parameter.requires_grad for parameter in loaded.parameters())


def test_training_replaces_some_words_by_the_unknown_one(file):
    vocab = vocabulary(file)
    params = {"type": "fixed_embedding", "embedding_dim": 3, "pretrained_file": str(file), "unknown_rate": 0.3}
    module = TokenEmbedder.from_params(Params(params), vocab=vocab)
    tokens = torch.full((1, 2000), vocab.get_token_index("the"))
    tokens[0, -500:] = 0
    unknown = module(torch.tensor([[vocab.get_token_index("nowhere")]]))
    torch.manual_seed(1)
    is_unknown = (module(tokens) == unknown).all(2)
    assert 0.25 < is_unknown[0, :1500].float().mean() < 0.35
    # Padding stays padding.
    assert (module(tokens)[0, -500:] == 0).all()
    assert not (module.eval()(tokens) == unknown).all(2).any()


@pytest.mark.parametrize("rate", [-0.1, 1.0])
def test_a_rate_that_is_none(file, rate):
    with pytest.raises(ConfigurationError, match=f"found the unknown_rate {rate}, expected a number from 0 to below 1"):
        embedding.FixedEmbedding(3, vocabulary(file), unknown_rate=rate)

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from helpers.plain_spans import every_span, recursion, word_characters
from torch.testing import assert_close

from nerzoo.modules.span_features.characters import FofeCharacters
from nerzoo.modules.span_features.span_features import FeatureInputs

WORDS = [["mara", "b", "quilly"], ["ox"], [], ["e", "f", "a", "bc"]]
MAX_LENGTH, SIZE = 3, 5
SPANS = every_span(map(len, WORDS), MAX_LENGTH)


def make_features(**parameters):
    torch.manual_seed(13)
    embedding = Embedding(embedding_dim=SIZE, num_embeddings=27)
    return FofeCharacters("characters", embedding, **parameters).double()


def compute(features, spans=SPANS, words=WORDS, width=8):
    characters, mask = word_characters(words, width)
    encoded = features.encode(FeatureInputs({"characters": {"token_characters": characters}}, mask, MAX_LENGTH))
    return features(encoded, spans)


def plain(features, sentence, start, end):
    words = WORDS[sentence][start:end]
    letters = "".join(word[0] for word in words) if features.initials else " ".join(words)
    symbols = torch.tensor([0 if letter == " " else ord(letter) - 96 for letter in letters])
    vectors = features.embedding.weight[symbols]
    return torch.cat([recursion(vectors, features.alpha), recursion(vectors.flip(0), features.alpha)])


@pytest.mark.parametrize("initials", [False, True])
@pytest.mark.parametrize("alpha", [0.3, 0.8, 1.0])
def test_equal_to_the_recursion_over_each_span(alpha, initials):
    features = make_features(alpha=alpha, initials=initials)
    expected = torch.stack([plain(features, *span) for span in SPANS.tolist()])
    assert_close(compute(features), expected)
    assert features.get_output_dim() == expected.shape[1]


@pytest.mark.parametrize("initials", [False, True])
def test_width_of_padding_and_other_sentences_have_no_influence(initials):
    features = make_features(initials=initials)
    expected = compute(features)
    assert_close(compute(features, width=20), expected)
    last = SPANS[SPANS[:, 0] == 3] - torch.tensor([3, 0, 0])
    assert_close(compute(features, last, WORDS[3:]), expected[-len(last) :])


def test_float32_is_exact_after_many_characters():
    features = make_features(alpha=1.0).float()
    words = [["zyxwvu"] * 1000 + ["a"]]
    found = compute(features, torch.tensor([[0, 1000, 1001]]), words)
    assert torch.equal(found, features.embedding.weight[[1, 1]].view(1, -1))


def test_no_spans():
    assert compute(make_features(), SPANS[:0]).shape == (0, 2 * SIZE)


def test_characters_and_the_space_learn():
    features = make_features()
    compute(features).square().sum().backward()
    letters = sorted({ord(letter) - 96 for sentence in WORDS for letter in "".join(sentence)})
    assert features.embedding.weight.grad.any(1).nonzero().flatten().tolist() == [0, *letters]


def test_alpha_out_of_range_is_an_error():
    with pytest.raises(ConfigurationError, match=r"found alpha = 1.5, expected .* in \(0, 1\]"):
        make_features(alpha=1.5)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("initials", [False, True])
def test_gpu_agrees_with_cpu(initials):
    features = make_features(initials=initials).float()
    on_cpu = compute(features)
    characters, mask = (x.cuda() for x in word_characters(WORDS, 8))
    features = features.cuda()
    encoded = features.encode(FeatureInputs({"characters": {"token_characters": characters}}, mask, MAX_LENGTH))
    assert_close(features(encoded, SPANS.cuda()).cpu(), on_cpu)

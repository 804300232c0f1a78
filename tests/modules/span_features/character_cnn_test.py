import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from helpers.plain_spans import every_span, word_characters
from torch.testing import assert_close

from nerzoo.modules.span_features.characters import CharacterCnn
from nerzoo.modules.span_features.span_features import FeatureInputs

WORDS = [["mara", "b", "quillysomething"], ["o"], [], ["e", "f", "a", "bc", "de"]]
MAX_LENGTH, SIZE = 4, 5
SPANS = every_span(map(len, WORDS), MAX_LENGTH)


def make_features(**parameters):
    torch.manual_seed(13)
    embedding = Embedding(embedding_dim=SIZE, num_embeddings=27)
    return CharacterCnn("characters", embedding, **{"num_filters": 3, **parameters}).double()


def compute(features, spans=SPANS, words=WORDS, width=15):
    characters, mask = word_characters(words, width)
    encoded = features.encode(FeatureInputs({"characters": {"token_characters": characters}}, mask, MAX_LENGTH))
    return features(encoded, spans)


def plain(features, sentence, start, end):
    letters = " " + " ".join(WORDS[sentence][start:end]) + " "
    vectors = features.embedding.weight[[0 if letter == " " else ord(letter) - 96 for letter in letters]]
    outputs = []
    for convolution in features.convolutions:
        (size,) = convolution.kernel_size
        for kernel, bias in zip(convolution.weight, convolution.bias, strict=True):
            windows = [vectors[k : k + size] for k in range(len(letters) - size + 1)]
            values = [torch.relu((kernel.t() * window).sum() + bias) for window in windows]
            outputs.append(torch.stack(values).max() if values else bias.new_zeros(()))
    return torch.stack(outputs)


@pytest.mark.parametrize("kernel_sizes", [None, [1], [3], [9, 2, 40]])
def test_equal_to_the_equations_for_each_span(kernel_sizes):
    features = make_features(kernel_sizes=kernel_sizes)
    expected = torch.stack([plain(features, *span) for span in SPANS.tolist()])
    assert_close(compute(features), expected)
    assert features.get_output_dim() == expected.shape[1]


def test_width_of_padding_and_other_sentences_have_no_influence():
    features = make_features()
    expected = compute(features)
    assert_close(compute(features, width=33), expected)
    last = SPANS[SPANS[:, 0] == 3] - torch.tensor([3, 0, 0])
    assert_close(compute(features, last, WORDS[3:]), expected[-len(last) :])


def test_gradient_is_that_of_the_equations():
    features = make_features()
    weights = torch.randn(len(SPANS), features.get_output_dim(), dtype=torch.float64)
    parameters = list(features.parameters())
    expected = torch.stack([plain(features, *span) for span in SPANS.tolist()])
    gradients = torch.autograd.grad((weights * expected).sum(), parameters)
    assert_close(torch.autograd.grad((weights * compute(features)).sum(), parameters), gradients)


def test_no_spans():
    assert compute(make_features(), SPANS[:0]).shape == (0, 24)


@pytest.mark.parametrize("kernel_sizes", [[], [2, 0]])
def test_kernel_sizes_out_of_range_are_an_error(kernel_sizes):
    with pytest.raises(ConfigurationError, match="found the kernel sizes .*, expected some of one character at least"):
        make_features(kernel_sizes=kernel_sizes)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    features = make_features().float()
    on_cpu = compute(features)
    characters, mask = (x.cuda() for x in word_characters(WORDS, 15))
    features = features.cuda()
    encoded = features.encode(FeatureInputs({"characters": {"token_characters": characters}}, mask, MAX_LENGTH))
    assert_close(features(encoded, SPANS.cuda()).cpu(), on_cpu)

import math

import pytest
import torch
from allennlp.common import Params
from torch.testing import assert_close

from nerzoo.modules import language_model_heads
from nerzoo.modules.language_model_heads import LanguageModelHead, SoftmaxHead

INPUT_SIZE, NUM_WORDS = 5, 11


@pytest.fixture
def loss():
    torch.manual_seed(7)
    params = Params({"type": "softmax", "input_size": INPUT_SIZE, "num_words": NUM_WORDS})
    loss = LanguageModelHead.from_params(params)
    assert isinstance(loss, SoftmaxHead)
    return loss.double()


@pytest.fixture
def inputs():
    return torch.randn(7, INPUT_SIZE, dtype=torch.float64)


TARGETS = torch.tensor([0, 3, 10, 3, 7, 1, 0])


def log_probability(loss, x, word):
    """Equation 2.5, word by word."""
    weight, bias = loss.word_projection.weight, loss.word_projection.bias
    scores = [(x @ weight[i] + bias[i]).item() for i in range(NUM_WORDS)]
    return math.log(math.exp(scores[word]) / sum(map(math.exp, scores)))


def test_equals_the_softmax_word_by_word(loss, inputs):
    expected = torch.tensor([[log_probability(loss, x, w) for w in range(NUM_WORDS)] for x in inputs]).double()
    of_targets = expected.gather(1, TARGETS.unsqueeze(1)).squeeze(1)
    assert_close(loss.log_probabilities(inputs), expected)
    assert_close(loss.target_log_probabilities(inputs, TARGETS), of_targets)
    assert_close(loss(inputs, TARGETS), -of_targets.mean())


def test_pieces_make_no_difference(loss, inputs, monkeypatch):
    expected = loss.target_log_probabilities(inputs, TARGETS)
    monkeypatch.setattr(language_model_heads, "POSITIONS_AT_A_TIME", 3)
    assert_close(loss.target_log_probabilities(inputs, TARGETS), expected)


def test_half_precision_is_left_for_the_distribution(loss, inputs):
    log_probabilities = loss.bfloat16().log_probabilities(inputs.bfloat16())
    assert log_probabilities.dtype == torch.float32
    assert_close(log_probabilities.exp().sum(1), torch.ones(7))

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from nerzoo.modules.language_model_heads import AdaptiveSoftmaxHead, LanguageModelHead

INPUT_SIZE, NUM_WORDS = 8, 13


def make_loss(cutoffs):
    torch.manual_seed(7)
    params = {"type": "adaptive_softmax", "input_size": INPUT_SIZE, "num_words": NUM_WORDS, "div_value": 2.0}
    return LanguageModelHead.from_params(Params({**params, "cutoffs": cutoffs})).double()


@pytest.mark.parametrize("cutoffs", [[4], [3, 7], [1, 2, 12]])
def test_is_a_distribution_over_all_words(cutoffs):
    loss = make_loss(cutoffs)
    assert isinstance(loss, AdaptiveSoftmaxHead)
    inputs = torch.randn(NUM_WORDS, INPUT_SIZE, dtype=torch.float64)
    log_probabilities = loss.log_probabilities(inputs)
    assert log_probabilities.shape == (NUM_WORDS, NUM_WORDS)
    assert_close(log_probabilities.exp().sum(1), torch.ones(NUM_WORDS).double())
    targets = torch.arange(NUM_WORDS)
    assert_close(loss.target_log_probabilities(inputs, targets), log_probabilities.diagonal())
    assert_close(loss(inputs, targets), -log_probabilities.diagonal().mean())


def test_rare_words_are_probabilities_of_clusters_times_those_in_them():
    loss = make_loss([4])
    inputs = torch.randn(3, INPUT_SIZE, dtype=torch.float64)
    head = loss.clusters.head(inputs).softmax(1)
    tail = loss.clusters.tail[0](inputs).softmax(1)
    assert loss.clusters.tail[0][0].out_features == INPUT_SIZE // 2
    assert_close(loss.log_probabilities(inputs).exp(), torch.cat([head[:, :4], head[:, 4:] * tail], 1))


@pytest.mark.parametrize("cutoffs", [[], [0, 4], [4, 4], [7, 4], [13], [4, 20]])
def test_cutoffs_that_do_not_fit(cutoffs):
    with pytest.raises(ConfigurationError, match="found the cutoffs .*, expected .* below the number of words, .* 13"):
        make_loss(cutoffs)

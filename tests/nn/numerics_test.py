import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.utils import clip_grad_norm_
from torch.testing import assert_close

from nerzoo.nn.numerics import check_temperature, clip_gradients, with_temperature


@pytest.mark.parametrize("temperature", [0.2, 1.0, 2.0, 11.0])
def test_it_is_the_softmax_of_divided_logits(temperature):
    torch.manual_seed(3)
    logits = 5 * torch.randn(3, 7, 5, dtype=torch.float64)
    assert_close(with_temperature(logits.softmax(-1), temperature), (logits / temperature).softmax(-1))


def test_padding_and_what_is_impossible_stay_zero():
    probabilities = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1e-38, 1.0]])
    found = with_temperature(probabilities, 2.0)
    assert_close(found, torch.tensor([[0.0, 0.0], [0.0, 1.0], [1e-19, 1.0]]))


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan")])
def test_what_is_no_temperature(temperature):
    with pytest.raises(ConfigurationError, match=r"found the temperature .*, expected one above 0"):
        check_temperature(temperature)


@pytest.mark.parametrize("max_norm", [0.5, 100.0])
def test_gradients_are_clipped_alike_whether_sparse_or_not(max_norm):
    torch.manual_seed(1)
    weights, words = torch.randn(7, 3), torch.tensor([1, 4, 4, 0])
    linear = torch.randn(3)

    def clipped(sparse, clip):
        embedding, factor = torch.nn.Parameter(weights.clone()), torch.nn.Parameter(linear.clone())
        looked_up = torch.nn.functional.embedding(words, embedding, sparse=sparse)
        (looked_up @ factor).pow(2).sum().backward()
        assert embedding.grad.is_sparse == sparse
        norm = clip([embedding, factor], max_norm)
        return norm, embedding.grad.to_dense(), factor.grad

    expected = clipped(False, clip_grad_norm_)
    for sparse in (True, False):
        torch.testing.assert_close(clipped(sparse, clip_gradients), expected)

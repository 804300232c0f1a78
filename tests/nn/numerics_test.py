import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from nerzoo.nn.numerics import check_temperature, with_temperature


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

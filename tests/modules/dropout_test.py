import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import FeedForward
from allennlp.nn import Activation

from nerzoo.modules.dropout import FastDropout, InputDropout, replace_dropout

B, T, D = 53, 47, 11
# Over which dimensions of (B, T, D) what is dropped is the same.
SHARED = {"element": (), "variational": (1,), "word": (2,)}


@pytest.fixture(params=SHARED)
def name(request):
    return request.param


def make(name, p):
    return InputDropout.from_params(Params({"type": name, "p": p}))


def test_drops_a_share_of_p_and_scales_the_others(name):
    torch.manual_seed(1)
    outputs = make(name, 0.3)(torch.ones(B, T, D))
    assert set(outputs.unique().tolist()) == {0.0, outputs.max().item()}
    assert outputs.max().item() == pytest.approx(1 / 0.7)
    assert (outputs == 0).float().mean().item() == pytest.approx(0.3, abs=0.05)


def test_drops_together(name):
    torch.manual_seed(1)
    dropped = make(name, 0.5)(torch.ones(B, T, D)) == 0
    for dim in range(3):
        is_shared = (dropped == dropped.narrow(dim, 0, 1)).all().item()
        assert is_shared == (dim in SHARED[name])


def test_drops_nothing_in_evaluation(name):
    inputs = torch.randn(B, T, D)
    assert torch.equal(make(name, 0.5).eval()(inputs), inputs)


@pytest.mark.parametrize("p", [-0.1, 1.0])
def test_p_is_a_probability_below_one(name, p):
    with pytest.raises(ConfigurationError, match=f"found the input dropout {p}"):
        make(name, p)


@pytest.mark.parametrize("rate", [0.1, 0.4, 0.5, 0.99])
def test_drops_at_its_rate_and_keeps_the_expectation(rate):
    torch.manual_seed(3)
    # An odd number of elements, which no four of them divide.
    dropped = FastDropout(rate)(torch.ones(1001, 999))
    is_kept = dropped != 0
    deviation = (rate * (1 - rate) / dropped.numel()) ** 0.5
    assert abs(is_kept.float().mean().item() - (1 - rate)) < 4 * deviation
    scale = dropped[is_kept].unique()
    assert len(scale) == 1
    assert abs(scale.item() * (1 - rate) - 1) < 2**-16 / (1 - rate)


def test_elements_are_drawn_independently():
    torch.manual_seed(3)
    is_kept = (FastDropout(0.5)(torch.ones(400_000)) != 0).float() - 0.5
    for lag in (1, 2, 3, 4, 5, 8):
        # Four times the standard deviation of a mean of products that are 1/4 and -1/4 by chance.
        assert abs((is_kept[lag:] * is_kept[:-lag]).mean().item()) < 4 * 0.25 / 400_000**0.5


def test_gradients_are_dropped_where_inputs_are():
    inputs = torch.randn(50, 7, requires_grad=True)
    dropped = FastDropout(0.3)(inputs)
    dropped.sum().backward()
    assert torch.equal(inputs.grad == 0, dropped == 0)
    torch.testing.assert_close(inputs.grad * inputs.detach(), dropped.detach())


def test_random_numbers_are_those_of_the_seed():
    torch.manual_seed(5)
    first, second = FastDropout(0.5)(torch.ones(100)), FastDropout(0.5)(torch.ones(100))
    torch.manual_seed(5)
    assert torch.equal(FastDropout(0.5)(torch.ones(100)), first)
    assert not torch.equal(first, second)


@pytest.mark.parametrize(("rate", "expected"), [(0.0, 1.0), (1e-9, 1.0), (1.0, 0.0)])
def test_rates_at_the_ends(rate, expected):
    assert torch.equal(FastDropout(rate)(torch.ones(9)), torch.full((9,), expected))


def test_nothing_is_dropped_in_evaluation():
    inputs = torch.randn(3, 4)
    assert FastDropout(0.5).eval()(inputs) is inputs


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_the_precision_of_inputs_is_kept(dtype):
    dropped = FastDropout(0.5)(torch.ones(100, dtype=dtype))
    assert dropped.dtype == dtype
    assert dropped.unique().tolist() == [0, 2]


def test_no_elements():
    assert FastDropout(0.5)(torch.ones(0, 3)).shape == (0, 3)


def test_replaced_everywhere_inside_a_module():
    network = FeedForward(4, 2, 5, Activation.by_name("relu")(), 0.25)
    replace_dropout(network)
    found = [module for module in network.modules() if isinstance(module, torch.nn.Dropout)]
    assert [type(module) for module in found] == [FastDropout, FastDropout]
    assert [module.p for module in found] == [0.25, 0.25]
    torch.manual_seed(1)
    assert (network(torch.randn(100, 4)) == 0).any()

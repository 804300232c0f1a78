import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.dropout import InputDropout

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

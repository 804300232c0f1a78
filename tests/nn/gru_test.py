import pytest
import torch
from torch.testing import assert_close

from nerzoo.nn.gru import Gru, run_side_by_side

LENGTH, NETWORKS, BATCH, SIZE = 6, 3, 4, 5


@pytest.fixture
def networks():
    torch.manual_seed(13)
    return [torch.nn.GRU(7, SIZE).double() for _ in range(NETWORKS)]


def run(networks, inputs):
    return torch.stack(run_side_by_side(networks, inputs.transpose(1, 2).unbind())).transpose(1, 2)


def test_states_and_gradients_are_those_of_torch(networks):
    inputs = torch.randn(NETWORKS, LENGTH, BATCH, 7, dtype=torch.float64, requires_grad=True)
    parameters = [inputs, *(parameter for gru in networks for parameter in gru.parameters())]
    ours = run(networks, inputs)
    theirs = torch.stack([gru(x)[0] for x, gru in zip(inputs, networks, strict=True)])
    assert_close(ours, theirs)
    ahead = torch.randn_like(ours)
    assert_close(torch.autograd.grad(ours, parameters, ahead), torch.autograd.grad(theirs, parameters, ahead))


def test_a_network_alone(networks):
    x = torch.randn(BATCH, LENGTH, 7, dtype=torch.float64)
    (states,) = run_side_by_side(networks[:1], [x])
    assert_close(states, networks[0](x.transpose(0, 1))[0].transpose(0, 1))


def test_gradcheck():
    torch.manual_seed(13)
    shapes = (NETWORKS, LENGTH, BATCH, 3 * SIZE), (NETWORKS, SIZE, 3 * SIZE), (NETWORKS, 1, SIZE)
    assert torch.autograd.gradcheck(
        Gru.apply, [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in shapes]
    )

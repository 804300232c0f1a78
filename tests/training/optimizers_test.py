import pytest
import torch
from allennlp.common import Params
from allennlp.training.optimizers import Optimizer
from helpers.forked import NERZOO, run_forked
from torch.testing import assert_close

from nerzoo.training.optimizers import FusedAdam, Sgd


def trained(kind: str, num_steps: int = 5, **options) -> torch.nn.Linear:
    torch.manual_seed(1)
    model = torch.nn.Linear(7, 3)
    groups = [[["bias"], {"lr": 0.1}]]
    params = Params({"type": kind, "lr": 0.01, "weight_decay": 0.1, "parameter_groups": groups, **options})
    optimizer = Optimizer.from_params(params, model_parameters=list(model.named_parameters()))
    for step in range(num_steps):
        if step == num_steps // 2:
            # As a run that goes on has it.
            state = optimizer.state_dict()
            optimizer.load_state_dict(state)
        optimizer.zero_grad()
        model(torch.randn(4, 7)).square().sum().backward()
        optimizer.step()
    return model


def test_steps_are_those_of_adam():
    fused, adam, untrained = trained("fused_adam"), trained("adam"), trained("adam", 0)
    for name, parameter in fused.named_parameters():
        assert_close(parameter, adam.get_parameter(name))
        assert (parameter - untrained.get_parameter(name)).abs().max() > 0.01


def test_decoupled_weight_decay_is_that_of_adamw():
    decoupled, adamw = trained("fused_adam", decoupled_weight_decay=True), trained("adamw")
    for name, parameter in decoupled.named_parameters():
        assert_close(parameter, adamw.get_parameter(name))
        assert not torch.equal(parameter, trained("fused_adam").get_parameter(name))


def test_every_group_is_fused():
    parameters = [(name, torch.nn.Parameter(torch.zeros(2))) for name in "ab"]
    optimizer = FusedAdam(parameters, parameter_groups=[(["a"], {"lr": 0.1})])
    assert [group["fused"] for group in optimizer.param_groups] == [True, True]


def test_an_optimizer_leaves_the_compiler_of_torch_alone():
    program = (
        "import sys, nerzoo.components, torch\n"
        "from allennlp.training.optimizers import Optimizer\n"
        "for name in ('sgd', 'fused_adam'):\n"
        "    parameter = torch.nn.Parameter(torch.ones(2))\n"
        "    optimizer = Optimizer.by_name(name)([('p', parameter)], lr=0.1)\n"
        "    torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)\n"
        "    parameter.sum().backward(); optimizer.step()\n"
        "    optimizer.zero_grad(); optimizer.load_state_dict(optimizer.state_dict())\n"
        "    assert (parameter < 1).all() and parameter.grad is None\n"
        "assert 'torch._dynamo' not in sys.modules"
    )
    assert run_forked(NERZOO, [program]) == [""]


@pytest.mark.parametrize("ours, theirs", [(Sgd, torch.optim.SGD), (FusedAdam, torch.optim.Adam)])
def test_steps_are_those_of_torch(ours, theirs):
    found, expected = (torch.nn.Parameter(torch.tensor([1.0, -2.0])) for _ in range(2))
    optimizers = ours([("p", found)], lr=0.1), theirs([expected], lr=0.1)
    for _ in range(3):
        for parameter, optimizer in zip((found, expected), optimizers, strict=True):
            optimizer.zero_grad()
            parameter.pow(2).sum().backward()
            optimizer.step()
    torch.testing.assert_close(found, expected)
    assert found.is_leaf

import torch
from allennlp.common import Params
from allennlp.training.optimizers import Optimizer
from torch.testing import assert_close

from nerzoo.training.optimizers import FusedAdam


def trained(kind: str, num_steps: int = 5) -> torch.nn.Linear:
    torch.manual_seed(1)
    model = torch.nn.Linear(7, 3)
    groups = [[["bias"], {"lr": 0.1}]]
    params = Params({"type": kind, "lr": 0.01, "weight_decay": 0.1, "parameter_groups": groups})
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


def test_every_group_is_fused():
    parameters = [(name, torch.nn.Parameter(torch.zeros(2))) for name in "ab"]
    optimizer = FusedAdam(parameters, parameter_groups=[(["a"], {"lr": 0.1})])
    assert [group["fused"] for group in optimizer.param_groups] == [True, True]

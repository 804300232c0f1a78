import pytest
import torch

from nerzoo.training.resuming import LossScale


def test_a_resumed_run_has_the_scale_that_it_had():
    # The second of two finite steps doubles the scale; one of them is before the checkpoint, one after it.
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    step(scaler)
    state = LossScale("run", scaler).state_dict()
    resumed = torch.amp.GradScaler("cpu", growth_interval=2)
    LossScale("run", resumed).load_state_dict(state)
    assert resumed.get_scale() == 8.0
    step(resumed)
    assert resumed.get_scale() == 16.0


@pytest.mark.parametrize("scaler", [None, torch.amp.GradScaler("cpu", init_scale=4.0)])
def test_runs_in_full_precision_have_none(scaler):
    assert LossScale("run", None).state_dict() == {}
    LossScale("run", scaler).load_state_dict({})
    assert scaler is None or scaler.get_scale() == 4.0
    LossScale("run", None).load_state_dict({"scale": 2.0})


def step(scaler):
    parameter = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    scaler.scale(parameter.sum()).backward()
    scaler.step(optimizer)
    scaler.update()

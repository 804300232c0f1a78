from copy import deepcopy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.momentum_schedulers import MomentumScheduler
from allennlp.training.optimizers import Optimizer
from torch.testing import assert_close

from nerzoo.training.per_loss import PerLoss

SGD = {"backward_loss": {"type": "sgd", "lr": 0.5, "momentum": 0.9}, "loss": {"type": "sgd", "lr": 0.25}}


class Problem(torch.nn.Module):
    """backward_loss = a^2 / 2 and loss = 3 a b: gradients (a, none) and (3 b, 3 a)."""

    def __init__(self):
        super().__init__()
        self.a, self.b = (torch.nn.Parameter(torch.tensor(x, dtype=torch.float64)) for x in (2.0, 5.0))

    def step(self, optimizer):
        optimizer.zero_grad()
        (self.a**2 / 2).backward()
        optimizer.take_gradients("backward_loss")
        (3 * self.a * self.b).backward()
        optimizer.step()

    @property
    def values(self):
        return [self.a.item(), self.b.item()]


def build(problem, optimizers=SGD) -> PerLoss:
    params = Params({"type": "per_loss", "optimizers": optimizers}).duplicate()
    return Optimizer.from_params(params, model_parameters=list(problem.named_parameters()))


def test_two_steps_by_hand():
    problem = Problem()
    optimizer = build(problem)
    problem.step(optimizer)
    # a: 2 - 0.5 * 2 - 0.25 * 3 * 5, b: 5 - 0.25 * 3 * 2
    assert problem.values == [-2.75, 3.5]
    assert [problem.a.grad.item(), problem.b.grad.item()] == [15.0, 6.0]
    problem.step(optimizer)
    # The momentum of a's first optimiser is 0.9 * 2 - 2.75.
    assert problem.values == pytest.approx([-2.75 + 0.5 * 0.95 - 0.25 * 3 * 3.5, 3.5 + 0.25 * 3 * 2.75])


def test_one_after_the_other_by_hand():
    problem = Problem()
    optimizer = build(problem)
    for _ in range(2):
        optimizer.zero_grad()
        (problem.a**2 / 2).backward()
        optimizer.step_for("backward_loss")
        assert problem.a.grad is None
        (3 * problem.a * problem.b).backward()
        optimizer.step()
    # a: 2 - 0.5 * 2 = 1, where b is 5 - 0.75 * 1 and a 1 - 0.75 * 5 = -2.75. In the second step momentum is 0.9 * 2.
    a = -2.75 - 0.5 * (-2.75 + 1.8)
    assert problem.values == pytest.approx([a - 0.75 * 4.25, 4.25 - 0.75 * a])


def test_a_parameter_without_gradient_is_left_alone():
    decay = {"backward_loss": {"type": "sgd", "lr": 0.0, "weight_decay": 9.0}, "loss": {"type": "sgd", "lr": 0.0}}
    decay["backward_loss"]["lr"] = 0.1
    problem = Problem()
    problem.step(build(problem, decay))
    # b is not in backward_loss, whose optimiser alone has weight decay.
    assert problem.values == pytest.approx([2 - 0.1 * (2 + 9 * 2), 5])


def test_each_adam_divides_by_the_size_of_its_own_gradients():
    problem = Problem()
    problem.step(
        build(problem, {name: {"type": "adam", "lr": lr} for name, lr in (("loss", 0.1), ("backward_loss", 0.01))})
    )
    assert problem.values == pytest.approx([2 - 0.1 - 0.01, 5 - 0.1])


def test_all_learning_rates_and_momenta_follow_the_schedule():
    optimizer = build(Problem(), {"backward_loss": SGD["backward_loss"], "loss": {**SGD["loss"], "momentum": 0.5}})
    params = Params({"type": "polynomial_decay"})
    scheduler = LearningRateScheduler.from_params(params, optimizer=optimizer, num_epochs=5, num_steps_per_epoch=2)
    for batch in range(4):
        scheduler.step_batch(batch + 1)
    rates = [optimizer.optimizers[name].param_groups[0]["lr"] for name in SGD]
    assert rates == pytest.approx([0.6 * 0.5, 0.6 * 0.25])
    momentum = MomentumScheduler.from_params(
        Params({"type": "inverted_triangular", "cool_down": 2, "warm_up": 2}), optimizer=optimizer
    )
    momentum.step()
    assert optimizer.optimizers["loss"].param_groups[0]["momentum"] < 0.5


def test_state_goes_on_where_it_was():
    unbroken, resumed = Problem(), Problem()
    first = build(unbroken)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(first, 0.5)
    unbroken.step(first)
    scheduler.step()
    resumed.load_state_dict(unbroken.state_dict())
    second = build(resumed)
    # As the trainer does: what is built is loaded.
    other = torch.optim.lr_scheduler.ExponentialLR(second, 0.5)
    second.load_state_dict(deepcopy(first.state_dict()))
    other.load_state_dict(scheduler.state_dict())
    for _ in range(3):
        for problem, optimizer, schedule in ((unbroken, first, scheduler), (resumed, second, other)):
            problem.step(optimizer)
            schedule.step()
        assert_close(resumed.values, unbroken.values)
    assert second.optimizers["loss"].param_groups[0]["lr"] == 0.25 / 16


def test_what_is_wrong():
    with pytest.raises(ConfigurationError, match="found optimizers for backward_loss, expected one for loss"):
        build(Problem(), {"backward_loss": {"type": "sgd", "lr": 1.0}})
    problem = Problem()
    optimizer = build(problem)
    problem.a.square().backward()
    with pytest.raises(ConfigurationError, match="found no gradients of backward_loss, expected per_loss among the"):
        optimizer.step()

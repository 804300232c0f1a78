import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from nerzoo.training.learning_rate_schedulers import ReduceOnPlateau


@pytest.fixture
def optimizer():
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)


def rates(optimizer, metrics, **params):
    scheduler = LearningRateScheduler.from_params(Params({"type": "reduce_on_plateau", **params}), optimizer=optimizer)
    assert isinstance(scheduler, ReduceOnPlateau)
    result = []
    for metric in metrics:
        scheduler.step(metric)
        result.append(optimizer.param_groups[0]["lr"])
    return result


def test_lowers_the_learning_rate_when_the_metric_no_longer_improves(optimizer):
    assert rates(optimizer, [3, 2, 2, 2, 2], factor=0.5, patience=1) == [1, 1, 1, 0.5, 0.5]


def test_higher_may_be_better(optimizer):
    assert rates(optimizer, [2, 3, 4, 4], mode="max", factor=0.5, patience=0) == [1, 1, 1, 0.5]


def test_other_parameters_reach_torch(optimizer):
    parameters = {"patience": 0, "factor": 0.1, "threshold_mode": "abs", "threshold": 2, "cooldown": 1, "min_lr": 0.05}
    assert rates(optimizer, [9, 8, 8, 8, 8, 8], **parameters) == pytest.approx([1, 0.1, 0.1, 0.05, 0.05, 0.05])


def test_needs_a_metric(optimizer):
    with pytest.raises(Exception, match="validation metric"):
        rates(optimizer, [None])

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from helpers.interrupted_training import assert_resumes_to_the_same_numbers
from helpers.short_training import ShortTraining

from nerzoo.training.learning_rate_schedulers import HalveAfterPlateau

# The higher the perplexity, the better: the second epoch is no better than the first, and the rate falls from then on.
TRAIN = ShortTraining(
    "fofe_lm",
    {
        "train_data_path": "fixtures/text/dev.txt",
        "validation_data_path": "fixtures/text/test.txt",
        "trainer.num_epochs": 4,
        "trainer.validation_metric": "+perplexity",
    },
)


@pytest.fixture
def optimizer():
    groups = [{"params": [torch.nn.Parameter(torch.zeros(1))], "lr": rate} for rate in (1.0, 0.4)]
    return torch.optim.SGD(groups)


def make_scheduler(optimizer, **options):
    params = Params({"type": "halve_after_plateau", **options})
    scheduler = LearningRateScheduler.from_params(params, optimizer=optimizer)
    assert isinstance(scheduler, HalveAfterPlateau)
    return scheduler


def rates(scheduler, metrics):
    result = []
    for metric in metrics:
        scheduler.step(metric)
        result.append([group["lr"] for group in scheduler.optimizer.param_groups])
    return result


@pytest.mark.parametrize("metrics", [[-9, -8, -8, -5, -7], [-9, -8, -8.5, -5, -7]])
def test_halves_from_the_first_epoch_on_that_is_no_better(metrics, optimizer):
    expected = [[1, 0.4], [1, 0.4], [0.5, 0.2], [0.25, 0.1], [0.125, 0.05]]
    assert rates(make_scheduler(optimizer), metrics) == expected


def test_is_frozen_while_epochs_are_better(optimizer):
    assert rates(make_scheduler(optimizer), [-9, -8, -7, -6]) == [[1, 0.4]] * 4


def test_constant_epochs_have_the_whole_rate_in_any_case(optimizer):
    found = rates(make_scheduler(optimizer, constant_epochs=4), [-9, -10, -8, -8.5, -9])
    assert [rate for rate, _ in found] == [1, 1, 1, 0.5, 0.25]


def test_the_rate_stays_after_the_constant_epochs_while_epochs_are_better(optimizer):
    found = rates(make_scheduler(optimizer, constant_epochs=2), [-9, -8, -7, -7.5])
    assert [rate for rate, _ in found] == [1, 1, 1, 0.5]


def test_no_constant_epoch(optimizer):
    with pytest.raises(ConfigurationError, match="constant_epochs"):
        make_scheduler(optimizer, constant_epochs=0)


def test_a_perplexity_that_is_no_number_is_no_better(optimizer):
    assert rates(make_scheduler(optimizer), [-9, float("nan")])[-1] == [0.5, 0.2]


@pytest.mark.parametrize("killed_after", range(1, 5))
def test_goes_on_from_its_state(killed_after, optimizer):
    metrics = [-9, -8, -8, -5, -7]
    first = make_scheduler(optimizer)
    found = rates(first, metrics[:killed_after])
    second = make_scheduler(optimizer)
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    found += rates(second, metrics[killed_after:])
    assert found == [[1, 0.4], [1, 0.4], [0.5, 0.2], [0.25, 0.1], [0.125, 0.05]]


def test_needs_validation_data(optimizer):
    with pytest.raises(ConfigurationError, match="found no validation metric, expected validation data"):
        make_scheduler(optimizer).step(None)


def test_an_interrupted_run_resumes_to_the_same_numbers(tmp_path, monkeypatch):
    assert_resumes_to_the_same_numbers(TRAIN, tmp_path, monkeypatch, killed_in=3)
    state = torch.load(tmp_path / "unbroken/training_state_e3_b0.th", weights_only=False)
    assert state["learning_rate_scheduler"]["num_halvings"] == 2

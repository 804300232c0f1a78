import copy

import pytest
import torch

from nerzoo.models.sequence_tagger import AuxiliaryLosses
from nerzoo.modules.token_embedders.char_gated import AuxiliaryLoss


def test_the_loss_of_a_part_is_given_once():
    part = AuxiliaryLoss()
    assert part.auxiliary_loss() is None
    loss = torch.tensor(3.0)
    part._keep(loss)
    assert part.auxiliary_loss() is loss
    assert part.auxiliary_loss() is None
    part._keep(loss)
    part._keep(None)
    assert part.auxiliary_loss() is None


MASK = torch.tensor([[True, True, True], [True, True, False]])


class Part(torch.nn.Linear, AuxiliaryLoss):
    """Its loss is the sum of its weights, times a number."""

    def forward(self, number):
        self._keep(number * self.weight.sum() if self.training else None)


@pytest.fixture
def model():
    return torch.nn.Sequential(Part(3, 2), torch.nn.Sequential(torch.nn.Linear(2, 2), Part(2, 5))).double()


def test_sums_the_losses_of_all_parts_per_token(model):
    losses = AuxiliaryLosses(model)
    first, second = model[0], model[1][1]
    first(2.0)
    second(3.0)
    loss = losses(MASK)
    torch.testing.assert_close(loss, (2 * first.weight.sum() + 3 * second.weight.sum()) / 5)
    loss.backward()
    torch.testing.assert_close(second.weight.grad, torch.full_like(second.weight, 3 / 5))
    assert model[1][0].weight.grad is None


def test_a_loss_is_given_once(model):
    losses = AuxiliaryLosses(model)
    model[0](2.0)
    assert losses(MASK) is not None
    assert losses(MASK) is None
    copy.deepcopy(model)


def test_the_last_forward_pass_counts(model):
    losses = AuxiliaryLosses(model)
    model[0](2.0)
    model[0](7.0)
    torch.testing.assert_close(losses(MASK), 7 * model[0].weight.sum() / 5)
    model[0](2.0)
    model.eval()[0](2.0)
    assert losses(MASK) is None


def test_metric_is_the_mean_over_batches(model):
    losses = AuxiliaryLosses(model)
    assert losses.get_metric() == {}
    values = []
    for number in (1.0, 4.0):
        model[0](number)
        values.append(losses(MASK).item())
    assert losses.get_metric() == {"auxiliary_loss": pytest.approx(sum(values) / 2)}
    assert losses.get_metric(reset=True) == {"auxiliary_loss": pytest.approx(sum(values) / 2)}
    assert losses.get_metric() == {}


def test_a_model_without_parts_has_none():
    losses = AuxiliaryLosses(torch.nn.Linear(2, 2))
    assert losses(MASK) is None
    assert losses.get_metric(reset=True) == {}

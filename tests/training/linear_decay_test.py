import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

import nerzoo  # noqa: F401


def test_falls_by_the_same_amount_every_epoch():
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.125)
    scheduler = LearningRateScheduler.from_params(
        Params({"type": "linear_decay"}), optimizer=optimizer, num_epochs=40, num_steps_per_epoch=7
    )
    rates = []
    for _ in range(41):
        rates.append(optimizer.param_groups[0]["lr"])
        scheduler.step_batch(3)
        optimizer.step()
        scheduler.step()
    assert rates == pytest.approx([0.125 * (1 - epoch / 40) for epoch in range(41)])

import numpy
import torch
from allennlp.training.learning_rate_schedulers import CosineWithRestarts
from allennlp.training.moving_average import ExponentialMovingAverage

from nerzoo.compatibility.checkpoints import follow_parameters


def test_state_with_numpy_scalars_is_loaded_with_the_defaults_of_torch(tmp_path):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    scheduler = CosineWithRestarts(optimizer, t_initial=10)
    scheduler.step()
    assert isinstance(optimizer.param_groups[0]["lr"], numpy.floating)
    state = {"optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
    torch.save(state, tmp_path / "state.th")
    assert torch.load(tmp_path / "state.th") == state


def test_a_moving_average_follows_the_parameters_of_its_model_again():
    model, before = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    average = ExponentialMovingAverage(model.named_parameters(), decay=0.5)
    average.load_state_dict(ExponentialMovingAverage(before.named_parameters()).state_dict())
    follow_parameters(average, model)
    average.apply()
    average.assign_average_value()
    torch.testing.assert_close(average._backups["weight"], model.weight * 2 - before.weight)

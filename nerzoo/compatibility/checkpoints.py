"""Checkpoints of a training, read again."""

import numpy
import torch
from allennlp.training.moving_average import MovingAverage
from numpy._core.multiarray import scalar

# training/checkpointer.py, load_checkpoint: torch.load has refused everything but tensors and plain values since torch
# 2.6, while learning_rate_schedulers/cosine.py, get_values, puts numpy scalars into the state. Without this, --recover
# fails with the `cosine` scheduler.
torch.serialization.add_safe_globals([scalar, numpy.dtype, numpy.dtypes.Float64DType])


def follow_parameters(average: MovingAverage, model: torch.nn.Module) -> None:
    """
    Has the moving average of a resumed run follow the parameters of its model again; training/moving_average.py,
    load_state_dict: `self._parameters = state_dict["parameters"]` are copies that nobody trains.
    """
    parameters = dict(model.named_parameters())
    average._parameters = [(name, parameters[name]) for name, _ in average._parameters]
    for values in (average._shadows, average._backups):
        values.update({name: value.to(parameters[name].device) for name, value in values.items()})

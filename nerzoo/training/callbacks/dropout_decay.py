from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import num_epochs
from nerzoo.training.callbacks.epoch_schedule import EpochSchedule


@TrainerCallback.register("dropout_decay")
class DropoutDecay(EpochSchedule):
    """
    Lowers dropout after every epoch by the same factor, as FOFE-NER does (Xu's thesis, section 5.5.1): after e of N
    epochs it is

        initial (final / initial)^(e / N)

    in all `torch.nn.Dropout` of the model, whatever their own rates.

    # Parameters

    serialization_dir : `str`
    initial : `float`, optional (default = `0.4`)
        The rate in the first epoch.
    final : `float`, optional (default = `0.1`)
        The rate at the end of training.

    # Raises

    `ConfigurationError` where a rate is not between 0 and 1 or the model has no dropout.
    """

    def __init__(self, serialization_dir: str, initial: float = 0.4, final: float = 0.1) -> None:
        super().__init__(serialization_dir)
        for rate in (initial, final):
            if not 0 < rate < 1:
                raise ConfigurationError(f"found a dropout of {rate:g}, expected one between 0 and 1")
        self._initial = initial
        self._final = final

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        self._modules = [module for module in trainer.model.modules() if isinstance(module, torch.nn.Dropout)]
        if not self._modules:
            raise ConfigurationError("dropout_decay: found a model without dropout, expected one with some")
        super().on_start(trainer, is_primary, **kwargs)

    def set_after(self, epochs: int, trainer: GradientDescentTrainer) -> None:
        rate = self._initial * (self._final / self._initial) ** (epochs / num_epochs(trainer))
        for module in self._modules:
            module.p = rate

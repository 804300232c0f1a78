from typing import Any, Dict

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.compatibility import epochs_done, num_epochs


@TrainerCallback.register("dropout_decay")
class DropoutDecay(TrainerCallback):
    """
    Lowers dropout after every epoch by the same factor, as FOFE-NER does (Xu's thesis, section 5.5.1): after e of N
    epochs it is

        initial (final / initial)^(e / N)

    in all `torch.nn.Dropout` of the model, whatever their own rates. Only the number of completed epochs counts, and so
    a run may be interrupted and resumed anywhere.

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
        super().on_start(trainer, is_primary, **kwargs)
        self._modules = [module for module in trainer.model.modules() if isinstance(module, torch.nn.Dropout)]
        if not self._modules:
            raise ConfigurationError("dropout_decay: found a model without dropout, expected one with some")
        # A resumed run passes over the epochs before its checkpoint without a word to the callbacks.
        self._set(epochs_done(trainer) / num_epochs(trainer))

    def on_epoch(
        self,
        trainer: GradientDescentTrainer,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        self._set((epoch + 1) / num_epochs(trainer))

    def _set(self, done: float) -> None:
        """Sets the rate after this fraction of all epochs."""
        rate = self._initial * (self._final / self._initial) ** done
        for module in self._modules:
            module.p = rate

from typing import Any, Dict, List

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import epochs_done, num_epochs


class EpochSchedule(TrainerCallback):
    """
    Sets something in the model before every epoch, as `set_after` says. Only the number of completed epochs counts, and
    so a run may be interrupted and resumed anywhere.
    """

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        # A resumed run passes over the epochs before its checkpoint without a word to the callbacks.
        self.set_after(epochs_done(trainer), trainer)

    def on_epoch(
        self,
        trainer: GradientDescentTrainer,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        self.set_after(epoch + 1, trainer)

    def set_after(self, epochs: int, trainer: GradientDescentTrainer) -> None:
        """Sets what is to hold after this number of epochs, at the end of training, too."""
        raise NotImplementedError


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


@TrainerCallback.register("scheduled_sampling")
class ScheduledSampling(EpochSchedule):
    """
    Raises by the same amount after every epoch the probability by which a decoder in training reads its own prediction
    in place of a gold label: scheduled sampling with the linear schedule of Bengio et al. (2015), which they lower,
    since it is that of the gold label, and at every step. In epoch e of N, from 0, it is

        initial + (final - initial) e / (N - 1)

    in all parts of the model that have a `scheduled_sampling_ratio`, such as `Seq2BiseqHead`, whatever their own.

    # Parameters

    serialization_dir : `str`
    initial : `float`, optional (default = `0.0`)
        The probability in the first epoch.
    final : `float`, optional (default = `1.0`)
        The probability in the last epoch, of those that the trainer may train.

    # Raises

    `ConfigurationError` where a probability is not one or no part of the model has a `scheduled_sampling_ratio`.
    """

    def __init__(self, serialization_dir: str, initial: float = 0.0, final: float = 1.0) -> None:
        super().__init__(serialization_dir)
        for ratio in (initial, final):
            if not 0 <= ratio <= 1:
                raise ConfigurationError(f"scheduled_sampling: found {ratio:g}, expected a probability, from 0 to 1")
        self._initial = initial
        self._final = final

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        modules = trainer.model.modules()
        self._modules: List[Any] = [module for module in modules if hasattr(module, "scheduled_sampling_ratio")]
        if not self._modules:
            raise ConfigurationError(
                "scheduled_sampling: found a model without scheduled_sampling_ratio, expected the head seq2biseq with "
                "two decoders"
            )
        super().on_start(trainer, is_primary, **kwargs)

    def set_after(self, epochs: int, trainer: GradientDescentTrainer) -> None:
        done = min(epochs / max(num_epochs(trainer) - 1, 1), 1)
        for module in self._modules:
            module.scheduled_sampling_ratio = self._initial + (self._final - self._initial) * done

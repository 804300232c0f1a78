from typing import Any, List

from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import num_epochs
from nerzoo.training.callbacks.epoch_schedule import EpochSchedule


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

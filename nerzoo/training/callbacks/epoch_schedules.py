"""Callbacks that change the model from epoch to epoch. They count completed epochs, so that runs can be resumed."""

from typing import Any, Dict, List

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import epochs_done, metric_tracker, num_epochs
from nerzoo.errors import check_range

TRANSITIONS = {"transitions", "start_transitions", "end_transitions"}
"""The names of the parameters of a CRF, in nerzoo and in AllenNLP."""


class EpochSchedule(TrainerCallback):
    """Sets a value in the model before every epoch; a subclass does so in `set_after`."""

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        # A resumed run passes over the epochs before its checkpoint without calling callbacks.
        self.set_after(epochs_done(trainer), trainer)

    def on_epoch(
        self, trainer: GradientDescentTrainer, metrics: Dict[str, Any], epoch: int, *args: Any, **kwargs: Any
    ) -> None:
        self.set_after(epoch + 1, trainer)

    def set_after(self, epochs: int, trainer: GradientDescentTrainer) -> None:
        """Sets the value after this number of epochs, which may be the last one."""
        raise NotImplementedError


@TrainerCallback.register("dropout_decay")
class DropoutDecay(EpochSchedule):
    """
    Lowers dropout after every epoch by the same factor, as FOFE-NER does (Xu's thesis, section 5.5.1): after e of N
    epochs it is

        initial (final / initial)^(e / N)

    in all `torch.nn.Dropout` of the model, whatever their own rates.

    # Parameters

    initial, final : `float`, optional (default = `0.4`, `0.1`)
        The rates in the first epoch and at the end of training. One that is not between 0 and 1 raises
        `ConfigurationError`, as does a model without dropout.
    """

    def __init__(self, serialization_dir: str, initial: float = 0.4, final: float = 0.1) -> None:
        super().__init__(serialization_dir)
        for rate in (initial, final):
            if not 0 < rate < 1:
                raise ConfigurationError(f"found a dropout of {rate:g}, expected one between 0 and 1")
        self._initial, self._final = initial, final

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        self._modules = [module for module in trainer.model.modules() if isinstance(module, torch.nn.Dropout)]
        if not self._modules:
            raise ConfigurationError("dropout_decay: found a model without dropout, expected one with some")
        super().on_start(trainer, is_primary, **kwargs)

    def set_after(self, epochs: int, trainer: GradientDescentTrainer) -> None:
        for module in self._modules:
            module.p = self._initial * (self._final / self._initial) ** (epochs / num_epochs(trainer))


@TrainerCallback.register("scheduled_sampling")
class ScheduledSampling(EpochSchedule):
    """
    Raises after every epoch, by the same amount, the probability that a decoder in training reads its own prediction in
    place of a gold label: scheduled sampling with the linear schedule of Bengio et al. (2015), who lower the
    probability of the gold label, at every step. In epoch e of N, from 0, it is

        initial + (final - initial) e / (N - 1)

    in all parts of the model that have a `scheduled_sampling_ratio`, such as `Seq2BiseqHead`, whatever their own.

    # Parameters

    initial, final : `float`, optional (default = `0.0`, `1.0`)
        The probabilities in the first epoch and in the last epoch that the trainer is configured for. One outside
        [0, 1] raises `ConfigurationError`, as does a model without such parts.
    """

    def __init__(self, serialization_dir: str, initial: float = 0.0, final: float = 1.0) -> None:
        super().__init__(serialization_dir)
        check_range("initial probability", initial, 0, 1)
        check_range("final probability", final, 0, 1)
        self._initial, self._final = initial, final

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
        share = min(epochs / max(num_epochs(trainer) - 1, 1), 1)
        for module in self._modules:
            module.scheduled_sampling_ratio = self._initial + (self._final - self._initial) * share


@TrainerCallback.register("frozen_transitions")
class FrozenTransitions(TrainerCallback):
    """
    Keeps the transitions of a CRF at zero for the first epochs, including those from the start and to the end, so that
    the CRF classifies each element by itself; then trains them: the curriculum of ME-CRF+, Liu et al. (2017), section
    4.2. The transitions are the parameters named as in `TRANSITIONS`, anywhere in the model.

    Frozen transitions have no gradient, neither in the norm to which gradients are clipped nor for the optimiser, whose
    state for them begins when they thaw. None of these epochs is kept as the best one, or counts for the patience,
    unless training ends with it.

    # Parameters

    epochs : `int`, optional (default = `20`)
        The number of epochs for which transitions are frozen. Below 0 it raises `ConfigurationError`, and so does a
        model without transitions.
    """

    def __init__(self, serialization_dir: str, epochs: int = 20) -> None:
        super().__init__(serialization_dir)
        check_range("number of epochs", epochs, 0)
        self._epochs = epochs

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        transitions = [
            parameter for name, parameter in trainer.model.named_parameters() if name.rpartition(".")[2] in TRANSITIONS
        ]
        if not transitions:
            raise ConfigurationError(
                "frozen_transitions: found a model without transitions, expected one with a distribution of type crf"
            )

        def is_frozen() -> bool:
            return epochs_done(trainer) < self._epochs

        def drop_gradients(*args: Any) -> None:
            if is_frozen():
                for parameter in transitions:
                    parameter.grad = None

        if not is_frozen():
            return
        # `requires_grad` stays on: DistributedDataParallel waits for the gradient of every parameter that had it on
        # when the trainer was made.
        for parameter in transitions:
            torch.nn.init.zeros_(parameter)
            parameter.register_hook(lambda gradient: torch.zeros_like(gradient) if is_frozen() else gradient)
        # Momentum and Adam's count of steps would go on with a gradient of zero.
        trainer.optimizer.register_step_pre_hook(drop_gradients)

    def on_epoch(
        self,
        trainer: GradientDescentTrainer,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        if epoch < self._epochs:
            tracker = metric_tracker(trainer)
            tracker.clear()
            # The count of epochs goes on: a resumed run takes the best epoch from there.
            tracker.load_state_dict({**tracker.state_dict(), "epoch_number": epoch + 1})

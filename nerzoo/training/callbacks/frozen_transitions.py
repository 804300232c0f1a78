from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import epochs_done

TRANSITIONS = {"transitions", "start_transitions", "end_transitions"}
"""The names of the parameters of a CRF, in nerzoo and in AllenNLP."""


@TrainerCallback.register("frozen_transitions")
class FrozenTransitions(TrainerCallback):
    """
    Keeps the transitions of a CRF at zero for the first epochs, those from the start and to the end included, so that
    the CRF classifies each element by itself; then trains them: the curriculum of ME-CRF+, Liu et al. (2017), section
    4.2. The transitions are the parameters named `transitions`, `start_transitions` and `end_transitions`, wherever in
    the model they are.

    Frozen transitions have no gradient, neither in the norm to which gradients are clipped nor for the optimiser, whose
    state for them begins when they thaw. Only the number of completed epochs counts, and so a run may be interrupted
    and resumed anywhere.

    # Parameters

    serialization_dir : `str`
    epochs : `int`, optional (default = `20`)
        The number of epochs for which transitions are frozen.

    # Raises

    `ConfigurationError` where `epochs` is negative or the model has no transitions.
    """

    def __init__(self, serialization_dir: str, epochs: int = 20) -> None:
        super().__init__(serialization_dir)
        if epochs < 0:
            raise ConfigurationError(f"found {epochs} epochs of frozen transitions, expected none or more")
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
        # Switching off `requires_grad` is no way: DistributedDataParallel waits for the gradient of every parameter
        # that had it on when the trainer was made.
        for parameter in transitions:
            torch.nn.init.zeros_(parameter)
            parameter.register_hook(lambda gradient: torch.zeros_like(gradient) if is_frozen() else gradient)
        # A gradient of zero would still be news to momentum, and to Adam's count of steps.
        trainer.optimizer.register_step_pre_hook(drop_gradients)

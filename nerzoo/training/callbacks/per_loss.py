from typing import Any, Dict, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from allennlp.training import GradientDescentTrainer, TrainerCallback
from allennlp.training.callbacks.backward import OnBackwardException

from nerzoo.allennlp_private import accumulates_gradients, uses_mixed_precision
from nerzoo.training.optimizers import PerLoss


@TrainerCallback.register("per_loss")
class PerLossCallback(TrainerCallback):
    """
    Differentiates each loss by itself, for the optimiser `per_loss`. A training step is

    1. one forward pass, which gives all losses;
    2. for each loss, the gradients of all parameters on which it depends, all taken at the same parameters, and
       rescaled and clipped, each by itself, as the trainer is told to;
    3. schedulers that go by batch;
    4. a step of each optimiser, in the configuration's order, on the gradients of its loss. Parameters on which a loss
       does not depend have no gradient of it or, where networks run together, a zero one: leave weight decay to the
       optimiser of a loss that depends on all.

    With plain SGD, or with momentum the same in all, that is a step on the losses' sum weighted by their learning
    rates; optimisers that divide by the size of gradients, as Adam does, do so for each loss alone.

    With `one_after_another` each optimiser steps on gradients taken where the one before has left the parameters, the
    optimiser of `loss` last: there is a forward pass for each loss, with dropout of its own, and schedulers that go by
    batch come before the last step alone. The loss that the trainer reports is that of the first pass. The paper does
    not say which of both it does.

    # Parameters

    one_after_another : `bool`, optional (default = `False`)

    # Raises

    `ConfigurationError` where the optimiser is not `per_loss`, the model's output lacks a loss, or the trainer works in
    several processes, in mixed precision or with gradient accumulation, which add up gradients of one loss only.
    """

    def __init__(self, serialization_dir: str, one_after_another: bool = False) -> None:
        super().__init__(serialization_dir)
        self._one_after_another = one_after_another
        self._batch: Dict[str, Any] = {}

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        if not isinstance(trainer.optimizer, PerLoss):
            raise ConfigurationError(
                f"callback per_loss: found the optimizer {type(trainer.optimizer).__name__}, expected per_loss"
            )
        for name, found in {
            "distributed": is_distributed(),
            "use_amp": uses_mixed_precision(trainer),
            "num_gradient_accumulation_steps": accumulates_gradients(trainer),
        }.items():
            if found:
                raise ConfigurationError(f"callback per_loss: found {name}, expected training without it")
        if self._one_after_another:
            trainer.model.register_forward_pre_hook(self._keep_batch, with_kwargs=True)

    def on_backward(
        self,
        trainer: GradientDescentTrainer,
        batch_outputs: Dict[str, torch.Tensor],
        backward_called: bool,
        **kwargs: Any,
    ) -> bool:
        if backward_called:
            raise OnBackwardException()
        optimizer = cast(PerLoss, trainer.optimizer)
        *others, last = optimizer.losses
        outputs = batch_outputs
        for name in others:
            if name not in outputs:
                raise ConfigurationError(
                    f"per_loss: found no {name} in the output of {type(trainer.model).__name__}, expected one"
                )
            outputs[name].backward(retain_graph=not self._one_after_another)
            trainer.rescale_gradients()
            trainer.clip_gradient()
            if self._one_after_another:
                optimizer.step_for(name)
                outputs = trainer.batch_outputs(self._batch, for_training=True)
            else:
                optimizer.take_gradients(name)
        outputs[last].backward()
        return True

    def _keep_batch(self, model: torch.nn.Module, args: Any, batch: Dict[str, Any]) -> None:
        self._batch = batch

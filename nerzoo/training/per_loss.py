from typing import Any, Dict, List, Optional, Sequence, Tuple, cast

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from allennlp.training import GradientDescentTrainer, TrainerCallback
from allennlp.training.callbacks.backward import OnBackwardException
from allennlp.training.optimizers import Optimizer

from nerzoo.allennlp_private import accumulated_batches, uses_mixed_precision


@Optimizer.register("per_loss")
class PerLoss(Optimizer):
    """
    Has an optimiser of all parameters for each of several losses of one model: Seq2Biseq has two, one for the backward
    decoder's loss and one for the global loss (Dinarelli and Grobol, 2019, section 4.3). It needs the callback
    `per_loss`, which defines a training step. AllenNLP's schedulers see the parameter groups of all optimisers: each
    learning rate and momentum follows the schedule from its own initial value.

    # Parameters

    model_parameters : `List[Tuple[str, torch.nn.Parameter]]`
        Not in a configuration: the trainer gives them.
    optimizers : `Dict[str, Lazy[Optimizer]]`
        The optimiser of each loss, by the name of the loss in the model's output. One of the losses is `loss`, which
        the trainer reports; without it `ConfigurationError` is raised. Optimisers step in this order; Jsonnet puts
        names in alphabetical order.
    """

    def __init__(
        self, model_parameters: List[Tuple[str, torch.nn.Parameter]], optimizers: Dict[str, Lazy[Optimizer]]
    ) -> None:
        if "loss" not in optimizers:
            raise ConfigurationError(f"per_loss: found optimizers for {', '.join(optimizers)}, expected one for loss")
        self.optimizers = {
            name: optimizer.construct(model_parameters=model_parameters) for name, optimizer in optimizers.items()
        }
        super().__init__([parameter for _, parameter in model_parameters], {})
        self._parameters = self.param_groups[0]["params"]
        # By the name of the loss; `None` where its optimiser has made its step.
        self._gradients: Dict[str, Optional[List[Optional[torch.Tensor]]]] = {}
        self._share_groups()

    def take_gradients(self, loss: str) -> None:
        """Moves the gradients that parameters have now to the optimiser of this loss."""
        self._gradients[loss] = [parameter.grad for parameter in self._parameters]
        self._put_gradients([None] * len(self._parameters))

    def step_for(self, loss: str) -> None:
        """Steps the optimiser of this loss alone, and removes the gradients of parameters."""
        self.optimizers[loss].step()
        self._put_gradients([None] * len(self._parameters))
        self._gradients[loss] = None

    def step(self, closure: Any = None) -> Any:
        """
        Steps each optimiser that has not made its step, with the gradients of its loss; afterwards parameters have the
        gradients of `loss`. Raises `ConfigurationError` where the gradients of a loss were not taken.
        """
        last = [parameter.grad for parameter in self._parameters]
        self._gradients["loss"] = last
        missing = self.optimizers.keys() - self._gradients.keys()
        if missing:
            raise ConfigurationError(
                f"per_loss: found no gradients of {', '.join(sorted(missing))}, expected per_loss among the trainer's "
                "callbacks"
            )
        for name, optimizer in self.optimizers.items():
            gradients = self._gradients[name]
            if gradients is not None:
                self._put_gradients(gradients)
                optimizer.step()
        self._put_gradients(last)
        self._gradients.clear()

    def state_dict(self) -> Dict[str, Any]:
        """Returns the state of each optimiser, by the name of its loss."""
        return {name: optimizer.state_dict() for name, optimizer in self.optimizers.items()}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        for name, optimizer in self.optimizers.items():
            optimizer.load_state_dict(state_dict[name])
        # Each optimiser has made new groups.
        self._share_groups()

    def _share_groups(self) -> None:
        self.param_groups = [group for optimizer in self.optimizers.values() for group in optimizer.param_groups]

    def _put_gradients(self, gradients: Sequence[Optional[torch.Tensor]]) -> None:
        for parameter, gradient in zip(self._parameters, gradients, strict=True):
            parameter.grad = gradient


@TrainerCallback.register("per_loss")
class PerLossCallback(TrainerCallback):
    """
    Differentiates each loss by itself, for the optimiser `per_loss`. A training step is

    1. one forward pass, which gives all losses;
    2. for each loss, the gradients of all parameters on which it depends, all taken at the same parameters, and each
       rescaled and clipped by itself, as the trainer is configured;
    3. schedulers that go by batch;
    4. a step of each optimiser, in the configuration's order, on the gradients of its loss. Parameters on which a loss
       does not depend have no gradient or, where networks run together, a zero one: use weight decay only for a loss
       that depends on all.

    With plain SGD, or with momentum the same in all, that is a step on the losses' sum weighted by their learning
    rates; optimisers that divide by the size of gradients, as Adam does, do so for each loss alone.

    # Parameters

    one_after_another : `bool`, optional (default = `False`)
        Whether each optimiser steps on gradients at the parameters that the one before has left, the optimiser of
        `loss` last: there is a forward pass for each loss, with dropout of its own, and schedulers that go by batch
        come before the last step alone. The trainer reports the loss of the first pass. The paper does not say which
        of both it does.

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
            "num_gradient_accumulation_steps": accumulated_batches(trainer) > 1,
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
        outputs = batch_outputs
        for name in optimizer.optimizers:
            if name == "loss":
                continue
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
        outputs["loss"].backward()
        return True

    def _keep_batch(self, model: torch.nn.Module, args: Any, batch: Dict[str, Any]) -> None:
        self._batch = batch

from typing import Any, Dict, List, Optional, Set, Tuple

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.training.optimizers import Optimizer


@Optimizer.register("per_loss")
class PerLoss(Optimizer):
    """
    Has an optimiser of all parameters for each of several losses of one model: Seq2Biseq has two, one for the backward
    decoder's loss and one for the global loss (Dinarelli and Grobol, 2019, section 4.3). It needs the callback
    `per_loss`, which says what a training step is.

    Learning rates and momenta are scheduled by AllenNLP's schedulers, which see the parameter groups of all optimisers:
    each follows the schedule from its own initial value.

    # Parameters

    model_parameters : `List[Tuple[str, torch.nn.Parameter]]`
        Not in a configuration: the trainer gives them.
    optimizers : `Dict[str, Lazy[Optimizer]]`
        The optimiser of each loss, by the name of the loss in the model's output. One of the losses is `loss`, which
        the trainer reports. Optimisers step in this order; Jsonnet puts names in alphabetical order.

    # Raises

    `ConfigurationError` where no loss is named `loss`, or where `step` is called before all gradients were taken.
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
        self._gradients: Dict[str, List[Optional[torch.Tensor]]] = {}
        self._stepped: Set[str] = set()
        self._share_groups()

    @property
    def losses(self) -> List[str]:
        """Lists the names of the losses, `loss` at the end."""
        return [name for name in self.optimizers if name != "loss"] + ["loss"]

    def take_gradients(self, loss: str) -> None:
        """
        Keeps the gradients that parameters have now for the optimiser of this loss, and removes them from parameters.
        """
        self._gradients[loss] = [parameter.grad for parameter in self._parameters]
        for parameter in self._parameters:
            parameter.grad = None

    def step_for(self, loss: str) -> None:
        """
        Steps the optimiser of this loss with the gradients that parameters have now, and removes them. The next `step`
        leaves it out.
        """
        self.optimizers[loss].step()
        for parameter in self._parameters:
            parameter.grad = None
        self._stepped.add(loss)

    def step(self, closure: Any = None) -> Any:
        """
        Steps each optimiser that has not made its step, with the gradients of its loss; afterwards parameters have the
        gradients of `loss`.
        """
        self.take_gradients("loss")
        missing = self.optimizers.keys() - self._gradients.keys() - self._stepped
        if missing:
            raise ConfigurationError(
                f"per_loss: found no gradients of {', '.join(sorted(missing))}, expected per_loss among the trainer's "
                "callbacks"
            )
        for name, optimizer in self.optimizers.items():
            if name not in self._stepped:
                self._put_gradients(self._gradients[name])
                optimizer.step()
        self._put_gradients(self._gradients["loss"])
        self._gradients.clear()
        self._stepped.clear()

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

    def _put_gradients(self, gradients: List[Optional[torch.Tensor]]) -> None:
        for parameter, gradient in zip(self._parameters, gradients, strict=True):
            parameter.grad = gradient

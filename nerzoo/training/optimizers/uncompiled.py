import inspect
from typing import Any

import torch
from torch.optim import Optimizer


class Uncompiled:
    """
    Mixin for optimizers that leaves torch's compiler alone. Optimizers import it, which takes two seconds, only to tell
    it to leave them alone (torch/_compile.py, `_disable_dynamo`; torch/optim/optimizer.py,
    `_use_grad_for_differentiable`). AllenNLP compiles nothing.
    """

    add_param_group = inspect.unwrap(Optimizer.add_param_group)
    load_state_dict = inspect.unwrap(Optimizer.load_state_dict)
    state_dict = inspect.unwrap(Optimizer.state_dict)
    zero_grad = inspect.unwrap(Optimizer.zero_grad)

    def step(self, closure: Any = None) -> Any:
        """Makes the step of the optimizer, without gradients."""
        plain_step: Any = inspect.unwrap(super().step)  # type: ignore[misc]
        with torch.no_grad():
            return plain_step(self, closure)

"""
Optimizers that leave the compiler of torch alone. torch/optim/optimizer.py: an optimizer imports it, which takes two
seconds of a processor, to be left alone by it: in some methods, wrapped by torch._disable_dynamo (torch/_compile.py),
and in `step`, where _use_grad_for_differentiable breaks its graphs. AllenNLP compiles nothing.
"""

import functools
from typing import Any, Callable

import torch
from torch.optim import Optimizer

for _method in (Optimizer.add_param_group, Optimizer.load_state_dict, Optimizer.state_dict, Optimizer.zero_grad):
    _function = getattr(_method, "__wrapped__", None)
    if _function is not None:
        vars(_function).setdefault("__dynamo_disable", _function)


def _without_compiler(step: Callable) -> Callable:
    @functools.wraps(step)
    def with_gradients_if_differentiable(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        with torch.set_grad_enabled(self.defaults["differentiable"]):
            return step(self, *args, **kwargs)

    return with_gradients_if_differentiable


for _class in vars(torch.optim).values():
    _step: Any = vars(_class).get("step") if isinstance(_class, type) else None
    if hasattr(_step, "__wrapped__") and _step.__code__.co_name == "_use_grad":
        _class.step = _without_compiler(_step.__wrapped__)

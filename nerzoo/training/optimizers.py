import inspect
import re
from typing import Any, Dict, List, Tuple

import torch
from allennlp.training.optimizers import AdamOptimizer, Optimizer, SgdOptimizer


class Uncompiled:
    """
    Mixin for optimizers that does not import torch's compiler, which takes two seconds. torch's optimizers import it
    only to exclude themselves from compilation (torch/_compile.py, `_disable_dynamo`; torch/optim/optimizer.py,
    `_use_grad_for_differentiable`). AllenNLP compiles nothing.
    """

    add_param_group = inspect.unwrap(torch.optim.Optimizer.add_param_group)
    load_state_dict = inspect.unwrap(torch.optim.Optimizer.load_state_dict)
    state_dict = inspect.unwrap(torch.optim.Optimizer.state_dict)
    zero_grad = inspect.unwrap(torch.optim.Optimizer.zero_grad)

    def step(self, closure: Any = None) -> Any:
        """Makes the step of the optimizer, without tracking gradients."""
        plain_step: Any = inspect.unwrap(super().step)  # type: ignore[misc]
        with torch.no_grad():
            return plain_step(self, closure)


@Optimizer.register("fused_adam")
class FusedAdam(Uncompiled, AdamOptimizer):
    """
    AllenNLP's `adam`, whose parameters it has, with the step in one pass over the memory of a parameter in place of
    ten: on a CPU three to six times as fast, the same except for rounding. It takes no sparse gradients, like `adam`.

    A group in `parameter_groups` may have the option `layer_decay`. The last layer of its transformer then has the
    learning rate of the group, and each layer, as well as the embeddings below the first one, the rate of the layer
    above it times this number (Clark et al. 2020, ELECTRA, appendix A).

    # Parameters

    decoupled_weight_decay : `bool`, optional (default = `False`)
        Whether parameters shrink by `lr * weight_decay` at each step, as in AdamW, and not by a gradient of their own,
        which Adam scales up to a whole step for words that a batch does not have.
    """

    def __init__(
        self,
        model_parameters: List[Tuple[str, torch.nn.Parameter]],
        decoupled_weight_decay: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(model_parameters, **kwargs)
        names = {parameter: name for name, parameter in model_parameters}
        self.param_groups = [layer for group in self.param_groups for layer in _groups_by_layer(group, names)]
        for group in self.param_groups:
            group["fused"] = True
            group["decoupled_weight_decay"] = decoupled_weight_decay


# The parts of a parameter's name that say that it is below all layers of a transformer. An embedder is around it.
_LOWEST = re.compile(r"\.(embed(?!der)\w*|\w+_embeddings|shared|layer_norm_emb|relative_attention_bias)\.")


def _groups_by_layer(group: Dict[str, Any], names: Dict[torch.nn.Parameter, str]) -> List[Dict[str, Any]]:
    """Splits a group with the option `layer_decay` by the layers of its parameters, which are numbers in the names."""
    decay = group.pop("layer_decay", None)
    if decay is None:
        return [group]
    numbers = {parameter: re.search(r"\.(\d+)\.", names[parameter]) for parameter in group["params"]}
    top = max((int(number[1]) for number in numbers.values() if number), default=0)
    layers: Dict[int, List[torch.nn.Parameter]] = {}
    for parameter, number in numbers.items():
        # Embeddings, of words or of distances, are below all layers and have no number. Anything else without one, such
        # as a normalisation at the end, is above all layers.
        is_lowest = _LOWEST.search(names[parameter]) is not None
        below_top = top - int(number[1]) if number else (top + 1) * is_lowest
        layers.setdefault(below_top, []).append(parameter)
    return [
        {**group, "params": parameters, "lr": group["lr"] * decay**below_top}
        for below_top, parameters in sorted(layers.items())
    ]


@Optimizer.register("sgd", exist_ok=True)
class Sgd(Uncompiled, SgdOptimizer):
    """AllenNLP's `sgd`, whose parameters it has, ready two seconds sooner: see `Uncompiled`."""

from typing import Any, Dict, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.nn import Module


class FittingWeights(Module):
    """
    A model that says which of the weights that it is to load are those of another model. A module of it may list the
    names of parameters in `resized_parameters` whose first dimension it takes from the weights.
    """

    def load_state_dict(  # type: ignore[override]
        self, state_dict: Dict[str, torch.Tensor], strict: bool = True
    ) -> Any:
        """
        Loads weights. Raises `ConfigurationError` where one has another shape or is not known, or one is missing and
        `strict` does not allow it: the configuration or the vocabulary is not the one that the model was trained with.
        """
        resized = {
            f"{prefix}.{name}".lstrip(".")
            for prefix, module in self.named_modules()
            for name in getattr(module, "resized_parameters", ())
        }
        own = self.state_dict()
        for name in sorted({*state_dict, *own} if strict else state_dict):
            found, expected = (
                _shape(weights, name)[int(name in resized) :] if name in weights else None
                for weights in (state_dict, own)
            )
            if found != expected:
                raise ConfigurationError(
                    f"found {_described(found)} for {name} among the weights, expected {_described(expected)}: they "
                    "are those of a model with another configuration or vocabulary"
                )
        return super().load_state_dict(state_dict, strict)


def _shape(weights: Dict[str, torch.Tensor], name: str) -> Tuple[int, ...]:
    return tuple(weights[name].shape)


def _described(shape: Any) -> str:
    return "nothing" if shape is None else f"a tensor of {list(shape)}"

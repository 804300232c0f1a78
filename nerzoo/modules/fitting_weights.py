from typing import Any, Dict

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from allennlp.nn import Module


class FittingWeights(Module):
    """
    Checks weights by their names and shapes before a model loads them. A part of the model may list parameters in
    `resized_parameters` that take their first dimension from the weights.
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
                list(weights[name].shape)[int(name in resized) :] if name in weights else None
                for weights in (state_dict, own)
            )
            if found != expected:
                raise ConfigurationError(
                    f"found {_described(found)} for {name} among the weights, expected {_described(expected)}: they "
                    "are those of a model with another configuration or vocabulary"
                )
        return super().load_state_dict(state_dict, strict)

    def begin_with(self, weights: Dict[str, torch.Tensor]) -> None:
        """
        Begins with the weights of another model: those that have the same name and shape here, and those of the first
        rows of embeddings of larger vocabularies. A part with a method `begin_with` of its own takes its weights by it.
        """
        taken = {name: tensor for name, tensor in self.state_dict().items() if name not in weights}
        for prefix, module in self.named_modules():
            own = {name.removeprefix(f"{prefix}."): tensor for name, tensor in weights.items()} if prefix else weights
            if module is not self and hasattr(module, "begin_with"):
                module.begin_with(own)
                taken |= {f"{prefix}.{name}": tensor for name, tensor in module.state_dict().items()}
            elif isinstance(module, (torch.nn.Embedding, Embedding)):
                found, table = own.get("weight"), module.state_dict()["weight"]
                if found is not None and found.shape[1:] == table.shape[1:] and len(found) < len(table):
                    taken[f"{prefix}.weight"] = torch.cat([found, table[len(found) :]])
        for name, tensor in self.state_dict().items():
            fits = name in weights and weights[name].shape == tensor.shape
            taken.setdefault(name, weights[name] if fits else tensor)
        self.load_state_dict(taken)


def _described(shape: Any) -> str:
    return "nothing" if shape is None else f"a tensor of {shape}"

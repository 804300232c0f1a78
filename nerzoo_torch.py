"""
Names that AllenNLP 2.10.1 imports and that current libraries lack. PyTorch calls `supply_names`, by its entry point,
when it is imported: AllenNLP imports PyTorch before all else, but nerzoo only when it has read its command line.
"""

import sys
from importlib.abc import MetaPathFinder
from typing import Any


class _Removed:
    """In place of the two classes of huggingface-hub that the command `allennlp push-to-hf` uses."""

    def __getattr__(self, name: str) -> Any:
        raise ImportError("push-to-hf needs huggingface-hub below 1: use the command publish in its place")


class _NameSupplier(MetaPathFinder):
    """Finds no module, but sets the names just before AllenNLP's module that needs them is imported."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname == "allennlp.training.optimizers":
            import torch
            import transformers

            class AdamW(torch.optim.AdamW):
                """The optimizer of PyTorch, with the option that AllenNLP's `huggingface_adamw` passes on."""

                def __init__(self, correct_bias: bool, **options: Any) -> None:
                    if not correct_bias:
                        from allennlp.common.checks import ConfigurationError

                        raise ConfigurationError("found correct_bias: false, expected true, as in PyTorch's AdamW")
                    super().__init__(**options)

            transformers.AdamW = AdamW  # type: ignore[attr-defined]
        elif fullname == "allennlp.common.push_to_hf":
            import huggingface_hub

            huggingface_hub.HfFolder = huggingface_hub.Repository = _Removed()


def supply_names() -> None:
    """Prepares the import of AllenNLP, which may follow or not."""
    if not any(isinstance(finder, _NameSupplier) for finder in sys.meta_path):
        sys.meta_path.insert(0, _NameSupplier())

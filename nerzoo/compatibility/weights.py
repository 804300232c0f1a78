"""Weights as safetensors, read as others are."""

import io
import os
from os import PathLike
from types import ModuleType
from typing import Any, Dict, Union

import torch
from allennlp.models import archival
from allennlp.nn import util

from nerzoo.extras import extra

SAFETENSORS_NAME = "model.safetensors"
"""The weights of a published model."""

_get_weights_path, _read_state_dict = archival.get_weights_path, util.read_state_dict


def _get_weights_path_of_safetensors_too(serialization_dir: Union[str, PathLike]) -> str:
    # models/archival.py, get_weights_path: knows weights.th and best.th alone.
    path = os.path.join(serialization_dir, SAFETENSORS_NAME)
    return path if os.path.exists(path) else _get_weights_path(serialization_dir)


def _read_state_dict_of_safetensors_too(
    path: Union[str, PathLike], *args: Any, **kwargs: Any
) -> Dict[str, torch.Tensor]:
    # nn/util.py, read_state_dict: calls torch.load, and then leaves out and renames what it was asked to.
    if not str(path).endswith(".safetensors"):
        return _read_state_dict(path, *args, **kwargs)
    file: Any = io.BytesIO()
    torch.save(safetensors().load_file(path), file)
    file.seek(0)
    return _read_state_dict(file, *args, **kwargs)


def safetensors() -> ModuleType:
    """Returns `safetensors.torch`. Raises `ConfigurationError` where safetensors, an extra of nerzoo, is missing."""
    with extra("hub", ", which has the weights of published models"):
        import safetensors.torch
    return safetensors.torch


archival.get_weights_path = _get_weights_path_of_safetensors_too
util.read_state_dict = _read_state_dict_of_safetensors_too

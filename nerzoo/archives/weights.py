"""The weights of an archive: a file of torch, or safetensors."""

import io
import os
import zipfile
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import archival
from allennlp.nn import util

from nerzoo.errors import extra

SAFETENSORS_NAME = "model.safetensors"
"""The weights of a published model."""

_read_state_dict = util.read_state_dict


def weights_path(folder: Union[str, PathLike]) -> Path:
    """Returns the path of the weights in the folder of an archive or of a training."""
    path = Path(folder, SAFETENSORS_NAME)
    return path if path.exists() else Path(archival.get_weights_path(folder))


def read_checked_weights(path: Union[str, PathLike], *args: Any, **kwargs: Any) -> Dict[str, torch.Tensor]:
    """
    Reads weights as `allennlp.nn.util.read_state_dict` does. Where there is no such file, but `SAFETENSORS_NAME` beside
    it, as in the folder of a published model, reads that.

    # Raises

    `ConfigurationError` where the file cannot be read, stands for more bytes than it has, or has numbers that are none.
    """
    beside = Path(path).with_name(SAFETENSORS_NAME)
    if not os.path.exists(path) and beside.exists():
        path = beside
    try:
        _check_is_not_compressed(path)
        if Path(path).suffix == ".safetensors":
            # It takes what torch.load takes, and then leaves out and renames what it was asked to.
            file: Any = io.BytesIO()
            torch.save(safetensors().load_file(path), file)
            file.seek(0)
        else:
            file = path
        weights = _read_state_dict(file, *args, **kwargs)
    except ConfigurationError:
        raise
    # torch.load and safetensors have many for damaged files.
    except Exception as error:
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise ConfigurationError(f"{path}: found weights that cannot be read ({line[:300]})") from error
    for name, tensor in weights.items():
        # A view may stand for any number of copies of a few numbers.
        if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes() or tensor.is_complex():
            raise ConfigurationError(f"{path}: found {name} as other than the numbers of a tensor, expected these")
        if tensor.is_floating_point() and tensor.isnan().any():
            raise ConfigurationError(f"{path}: found weights that are no numbers in {name}, expected numbers")
    return weights


def safetensors() -> ModuleType:
    """Returns `safetensors.torch`. Raises `ConfigurationError` where safetensors, an extra of nerzoo, is missing."""
    with extra("hub", ", which has the weights of published models"):
        import safetensors.torch
    return safetensors.torch


def _check_is_not_compressed(path: Union[str, PathLike]) -> None:
    # torch.save does not compress, but torch.load would unpack a file of others.
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            size = sum(member.file_size for member in file.infolist())
        if size > os.path.getsize(path):
            raise ConfigurationError(f"{path}: found weights of {size} bytes, expected at most those of the file")

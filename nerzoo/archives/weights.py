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
    Reads weights as `allennlp.nn.util.read_state_dict` does, or the `SAFETENSORS_NAME` beside them where they are
    missing, as in the folder of a published model.

    # Raises

    `ConfigurationError` where the file cannot be read, has tensors that are larger than their data, or NaN.
    """
    path = Path(path)
    beside = path.with_name(SAFETENSORS_NAME)
    if not path.exists() and beside.exists():
        path = beside
    try:
        # torch.save does not compress, but torch.load would unpack a compressed file.
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                size = sum(member.file_size for member in archive.infolist())
            if size > os.path.getsize(path):
                raise ConfigurationError(f"{path}: found weights of {size} bytes, expected at most those of the file")
        file: Any = path
        if path.suffix == ".safetensors":
            # AllenNLP's function reads files of torch, and then ignores and renames tensors as its arguments say.
            file = io.BytesIO()
            torch.save(safetensors().load_file(path), file)
            file.seek(0)
        weights = _read_state_dict(file, *args, **kwargs)
    except ConfigurationError:
        raise
    # torch.load and safetensors raise many types for damaged files.
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
    """Returns `safetensors.torch`. Raises `ConfigurationError` where the extra that installs it is missing."""
    with extra("hub", ", which has the weights of published models"):
        import safetensors.torch
    return safetensors.torch

"""The weights of an archive."""

import functools
import os
import zipfile
from os import PathLike
from typing import Any, Callable, Dict, Union

import torch
from allennlp.common.checks import ConfigurationError

_Read = Callable[..., Dict[str, torch.Tensor]]


def checked_weights(read: _Read) -> _Read:
    """
    Returns a function that reads a file of weights as `read` does.

    # Raises

    `ConfigurationError` where the file cannot be read, stands for more bytes than it has, or has numbers that are none.
    """

    @functools.wraps(read)
    def read_checked(path: Union[str, PathLike], *args: Any, **kwargs: Any) -> Dict[str, torch.Tensor]:
        try:
            _check_is_not_compressed(path)
            weights = read(path, *args, **kwargs)
        except ConfigurationError:
            raise
        # torch.load and safetensors have many.
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

    return read_checked


def _check_is_not_compressed(path: Union[str, PathLike]) -> None:
    # torch.save does not compress, but torch.load would unpack a file of others.
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            size = sum(member.file_size for member in file.infolist())
        if size > os.path.getsize(path):
            raise ConfigurationError(f"{path}: found weights of {size} bytes, expected at most those of the file")

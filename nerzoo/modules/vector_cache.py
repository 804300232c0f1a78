"""Vectors of sentences, kept on disk between batches, epochs and runs."""

import functools
import os
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, List, Sequence

import lmdb
import numpy
import torch

from nerzoo.errors import configuration_error, in_short

VARIABLE = "NERZOO_VECTOR_CACHE"
"""The environment variable with the file of the vectors of frozen transformers. Without it, none are kept."""
_MAX_SIZE = 2**40  # bytes
_MAX_VALUE = torch.finfo(torch.float16).max


@functools.cache
def _opened(path: str) -> lmdb.Environment:
    # A process must not open a file twice.
    with _errors(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return lmdb.open(path, map_size=_MAX_SIZE, subdir=False)


@contextmanager
def _errors(path: str) -> Iterator[None]:
    try:
        yield
    except (lmdb.Error, OSError) as error:
        raise configuration_error(f"{path}: found {in_short(error)}, expected a file of {VARIABLE}") from error


def kept_vectors(
    keys: Sequence[bytes], lengths: Sequence[int], size: int, compute: Callable[[List[int]], torch.Tensor]
) -> torch.Tensor:
    """
    Returns vectors of D = `size` numbers for the words of B sentences with these `keys` and `lengths`, (B, T, D). Those
    that the file of `VARIABLE` lacks come from `compute`, which gets their B' indices and returns vectors (B', T', D).
    All are rounded to half precision, two bytes a number. Raises `ConfigurationError` where the file cannot be opened
    or written.
    """
    path = os.path.expanduser(os.environ[VARIABLE])
    environment = _opened(path)
    with environment.begin() as reading:
        found = {key: value for key in keys if (value := reading.get(key)) is not None}
    missing = {key: i for i, key in enumerate(keys) if key not in found}
    if missing:
        # Not while the file is locked: another training may read and write it.
        vectors = compute(list(missing.values())).clamp(-_MAX_VALUE, _MAX_VALUE).half().cpu().numpy()
        for (key, i), rows in zip(missing.items(), vectors, strict=True):
            found[key] = rows[: lengths[i]].tobytes()
        with _errors(path), environment.begin(write=True) as writing:
            for key in missing:
                writing.put(key, found[key])
    rows = [
        torch.from_numpy(numpy.frombuffer(bytearray(found[key]), dtype=numpy.float16).reshape(length, size))
        for key, length in zip(keys, lengths, strict=True)
    ]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)

"""Vectors of sentences, kept on disk between batches, epochs and runs."""

import functools
import os
from pathlib import Path
from typing import Callable, Dict, List, Sequence

import lmdb
import numpy
import torch

from nerzoo.errors import configuration_error, in_short

VARIABLE = "NERZOO_VECTOR_CACHE"
"""The environment variable with the file of the vectors of frozen transformers. Without it, none are kept."""
_MAX_SIZE = 2**40  # bytes


@functools.cache
def _opened(path: str) -> lmdb.Environment:
    # A process must not open a file twice.
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return lmdb.open(path, map_size=_MAX_SIZE, subdir=False)
    except (lmdb.Error, OSError) as error:
        raise configuration_error(f"{path}: found {in_short(error)}, expected a file of {VARIABLE}") from error


def kept_vectors(
    keys: Sequence[bytes], lengths: Sequence[int], size: int, compute: Callable[[List[int]], torch.Tensor]
) -> torch.Tensor:
    """
    Returns vectors of D = `size` numbers for the words of B sentences with these `keys` and `lengths`, (B, T, D). Those
    that the file of `VARIABLE` lacks come from `compute`, which gets their B' indices and returns vectors (B', T', D).
    All are rounded to half precision, two bytes a number. Raises `ConfigurationError` where the file cannot be opened.
    """
    environment = _opened(os.environ[VARIABLE])
    found: Dict[bytes, bytes] = {}
    with environment.begin() as reading:
        for key in keys:
            value = reading.get(key)
            if value is not None:
                found[key] = value
    missing = list({key: i for i, key in enumerate(keys) if key not in found}.values())
    if missing:
        with environment.begin(write=True) as writing:
            for i, vectors in zip(missing, compute(missing), strict=True):
                found[keys[i]] = vectors[: lengths[i]].cpu().half().numpy().tobytes()
                writing.put(keys[i], found[keys[i]])
    rows = [
        torch.from_numpy(numpy.frombuffer(bytearray(found[key]), dtype=numpy.float16).reshape(length, size))
        for key, length in zip(keys, lengths, strict=True)
    ]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)

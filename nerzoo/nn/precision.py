"""The precision of computations that half precision is too coarse for, or that a CPU lacks in half precision."""

import functools

import torch

IMPOSSIBLE = -1e4
"""The logarithm of what is nothing even in double precision; of minus infinity there are no sums and differences."""


def at_least_float32(x: torch.Tensor) -> torch.Tensor:
    """Returns `x` in its own precision or float32, whichever is higher: long sums lose too much in half precision."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


@functools.cache
def cpu_has_lstm(dtype: torch.dtype) -> bool:
    """
    Whether PyTorch's LSTM runs on this CPU under autocast to `dtype`. oneDNN has no bfloat16 LSTM for x86 CPUs without
    AVX-512, where PyTorch raises a `RuntimeError`. Found out by running the smallest LSTM once.
    """
    inputs = state = torch.zeros(1, 1, 1)
    weights = [torch.zeros(4, 1), torch.zeros(4, 1), torch.zeros(4), torch.zeros(4)]
    try:
        with torch.autocast("cpu", dtype):
            torch.lstm(inputs, (state, state), weights, True, 1, 0.0, False, False, True)
    except RuntimeError:
        return False
    return True

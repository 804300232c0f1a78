"""How precisely to compute what half precision would lose."""

import torch


def at_least_float32(x: torch.Tensor) -> torch.Tensor:
    """`x` in its own precision or float32, whichever is higher: long sums lose too much in half precision."""
    return x.to(torch.promote_types(x.dtype, torch.float32))

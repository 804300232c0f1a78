"""Where sentences end."""

import torch


def at_last_token(x: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
    """`x`, (B, T, ...), at each sentence's last real token, (B, ...); at the first where there is none."""
    last = (mask.sum(1) - 1).clamp(min=0)
    return x[torch.arange(len(x), device=x.device), last]

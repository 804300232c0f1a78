"""
Attention of one head without scaling, softmax(Q K^T) V, by PyTorch's fused kernels, which do not keep the matrix of all
weights. Queries have the shape (B, T, H), keys and values (B, M, H), responses (B, T, H).
"""

from typing import Any

import torch
from torch.nn.functional import pad, scaled_dot_product_attention


def attend(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, **visible: Any) -> torch.Tensor:
    """Returns the responses; `visible` is `attn_mask` or `is_causal` of `scaled_dot_product_attention`."""
    # The fused kernels require the dimension of the heads.
    queries, keys, values = queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1)
    return scaled_dot_product_attention(queries, keys, values, scale=1.0, **visible).squeeze(1)


def attend_to_recent(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, size: int, null_slot: bool = False
) -> torch.Tensor:
    """
    Returns the responses where M = T, and query t sees the slots t - size + 1 to t and, if `null_slot`, a slot of
    zeros. Blocks of `size` queries see the slots of their own block and of the block before.
    """
    length, device = queries.shape[1], queries.device
    size = min(size, length)
    num_blocks = -(-length // size)
    missing = num_blocks * size - length
    num_null = int(null_slot)
    # shape: (B, J, N, H) of queries and (B, J, 2N, H) of slots, or 2N + 1
    queries = pad(queries, (0, 0, 0, missing)).unflatten(1, (num_blocks, size))
    keys, values = (
        pad(pad(slots, (0, 0, size, missing)).unfold(1, 2 * size, size).transpose(2, 3), (0, 0, num_null, 0))
        for slots in (keys, values)
    )
    query = torch.arange(size, device=device).unsqueeze(1)
    slot = torch.arange(2 * size, device=device)
    # shape: (J, N, 2N), or 2N + 1
    visible = ((slot > query) & (slot <= query + size)).repeat(num_blocks, 1, 1)
    # There is no block before the first one.
    visible[0] &= slot >= size
    visible = pad(visible, (num_null, 0), value=True)
    responses = scaled_dot_product_attention(queries, keys, values, attn_mask=visible, scale=1.0)
    # shape: (B, T, H)
    return responses.flatten(1, 2)[:, :length]

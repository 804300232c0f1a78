"""The levels of dependency trees, by which all words of a batch that are equally deep are computed together."""

from typing import List, NamedTuple

import torch


class TreeLevels(NamedTuple):
    """
    The N words of a batch of trees in the order of their depth, the deepest first and the roots last: the position of
    each word in the batch, flattened to (B * T,); the position of its parent in this order, a root being its own, and
    counted from the start of the parent's level, (N,) each; and the numbers of words of the levels, on the host.
    """

    order: torch.Tensor
    parent: torch.Tensor
    parent_in_level: torch.Tensor
    sizes: List[int]

    def to(self, device: torch.device) -> "TreeLevels":
        """Returns the same levels on another device."""
        return TreeLevels(self.order.to(device), self.parent.to(device), self.parent_in_level.to(device), self.sizes)


def tree_levels(heads: torch.Tensor, mask: torch.Tensor) -> TreeLevels:
    """
    Finds the levels of the trees of a batch on the CPU, given each token's head (B, T), counted from 1, 0 for a root,
    and the mask (B, T). Raises `ValueError` where heads form a cycle or lie outside their sentence.
    """
    batch_size, length = mask.shape
    if (mask & ((heads < 0) | (heads > mask.sum(1, keepdim=True)))).any():
        raise ValueError("A head lies outside its sentence.")
    positions = torch.arange(batch_size * length).view(batch_size, length)
    parents = torch.where(heads > 0, positions[:, :1] + heads - 1, positions)
    # shape: (N,)
    words = positions[mask]
    place = torch.zeros(batch_size * length, dtype=torch.long)
    place[words] = torch.arange(len(words))
    parent = place[parents[mask]]

    # All words climb to their roots at once; in a cycle the climb has no end.
    is_root = heads[mask] == 0
    depth = torch.zeros_like(parent)
    ancestor = torch.arange(len(words))
    for _ in range(length):
        climbs = ~is_root[ancestor]
        if not climbs.any():
            break
        depth += climbs
        ancestor = parent[ancestor]
    else:
        raise ValueError("The heads of a sentence form a cycle and so no tree.")

    depth, by_depth = depth.sort(descending=True, stable=True)
    place[by_depth] = torch.arange(len(words))
    parent = place[parent[by_depth]]
    sizes = depth.bincount().flip(0)
    starts = (sizes.cumsum(0) - sizes).flip(0)
    parent_in_level = parent - starts[(depth - 1).clamp_min(0)]
    return TreeLevels(words[by_depth], parent, parent_in_level, sizes.tolist())

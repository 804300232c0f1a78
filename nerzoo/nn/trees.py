"""The levels of the dependency trees of a batch, as tensors."""

from typing import List, NamedTuple

import torch

from nerzoo.text import trees


class TreeLevels(NamedTuple):
    """The levels that `nerzoo.text.trees.TreeLevels` describes, as tensors; the numbers of words are on the host."""

    order: torch.Tensor
    parent: torch.Tensor
    parent_in_level: torch.Tensor
    sizes: List[int]

    def to(self, device: torch.device) -> "TreeLevels":
        """Returns the same levels on another device."""
        return TreeLevels(self.order.to(device), self.parent.to(device), self.parent_in_level.to(device), self.sizes)


def tree_levels(heads: torch.Tensor, mask: torch.Tensor) -> TreeLevels:
    """Finds the levels of trees on the CPU. Parameters and errors are those of `nerzoo.text.trees.tree_levels`."""
    *levels, sizes = trees.tree_levels(heads.numpy(), mask.numpy())
    order, parent, parent_in_level = map(torch.from_numpy, levels)
    return TreeLevels(order, parent, parent_in_level, sizes.tolist())

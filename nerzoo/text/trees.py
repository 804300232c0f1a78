"""The levels of dependency trees, by which all words of a batch that are equally deep are computed together."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray


class TreeLevels(NamedTuple):
    """
    The N words of a batch of trees in the order of their depth, the deepest first and the roots last: the position of
    each word in the batch, flattened to (B * T,); the position of its parent in this order, a root being its own, and
    counted from the start of the parent's level, (N,) each; and the number of words of each level.
    """

    order: NDArray[numpy.int64]
    parent: NDArray[numpy.int64]
    parent_in_level: NDArray[numpy.int64]
    sizes: NDArray[numpy.int64]


def tree_levels(heads: NDArray[numpy.int64], mask: NDArray[numpy.bool_]) -> TreeLevels:
    """
    Finds the levels of the trees of a batch, given each token's head (B, T), counted from 1, 0 for a root, and the mask
    (B, T). Raises `ValueError` where heads form a cycle or lie outside their sentence.
    """
    batch_size, length = mask.shape
    if (mask & ((heads < 0) | (heads > mask.sum(1, keepdims=True)))).any():
        raise ValueError("A head lies outside its sentence.")
    positions = numpy.arange(batch_size * length).reshape(batch_size, length)
    parents = numpy.where(heads > 0, positions[:, :1] + heads - 1, positions)
    # shape: (N,)
    words = positions[mask]
    place = numpy.zeros(batch_size * length, numpy.int64)
    place[words] = numpy.arange(len(words))
    parent = place[parents[mask]]

    # All words climb to their roots at once; in a cycle the climb has no end.
    is_root = heads[mask] == 0
    depth = numpy.zeros_like(parent)
    ancestor = numpy.arange(len(words))
    for _ in range(length):
        climbs = ~is_root[ancestor]
        if not climbs.any():
            break
        depth += climbs
        ancestor = parent[ancestor]
    else:
        raise ValueError("The heads of a sentence form a cycle and so no tree.")

    level = depth.max(initial=0) - depth
    by_level = level.argsort(kind="stable")
    place[by_level] = numpy.arange(len(words))
    parent = place[parent[by_level]]
    sizes = numpy.bincount(level)
    # A root is in the last level, and so is its parent, itself.
    above = numpy.minimum(level[by_level] + 1, len(sizes) - 1)
    return TreeLevels(words[by_level], parent, parent - (sizes.cumsum() - sizes)[above], sizes)

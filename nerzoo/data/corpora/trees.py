"""Dependency trees as lists of heads, counted from 1, with 0 as the root."""

from typing import List, Optional, Sequence

from nerzoo.data.lines import format_error


def parse_heads(cells: Sequence[str], where: Sequence[object]) -> Optional[List[int]]:
    """The heads in a column of cells, checked by `check_tree`, or `None` if all are `_`, which means not annotated."""
    if all(cell == "_" for cell in cells):
        return None
    heads = [int(cell) if cell.isdecimal() else cell for cell in cells]
    check_tree(heads, where)
    return heads


def check_tree(heads: Sequence[object], where: Sequence[object]) -> None:
    """
    # Parameters

    heads : `Sequence[object]`
        What is to be the T heads of a sentence. Several roots are legal.
    where : `Sequence[object]`
        The place of each head, for error messages.

    # Raises

    `ConfigurationError` if a head is not an integer from 0 to T, if there is no root, or if there is a cycle.
    """
    for head, place in zip(heads, where, strict=True):
        if type(head) is not int or not 0 <= head <= len(heads):
            raise format_error(place, f"the head {head!r}", f"an integer from 0 to {len(heads)}")
    if 0 not in heads:
        raise format_error(where[0], "a sentence without a root", "at least one head of 0")
    rooted = {0}
    for word in range(1, len(heads) + 1):
        path: List[int] = []
        while word not in rooted:
            if word in path:
                cycle = " -> ".join(map(str, [*path[path.index(word) :], word]))
                raise format_error(where[word - 1], f"the cycle of heads {cycle}", "a tree")
            path.append(word)
            word = heads[word - 1]
        rooted.update(path)

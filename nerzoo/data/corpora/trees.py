"""Reads dependency trees: lists of heads, counted from 1, with 0 as the root."""

from typing import Dict, List, Optional, Sequence

from nerzoo.data.lines import format_error


def parse_heads(cells: Sequence[str], locations: Sequence[object]) -> Optional[List[int]]:
    """Reads a column of heads and checks it by `check_tree`. Returns `None` where all cells are `_`: not annotated."""
    if all(cell == "_" for cell in cells):
        return None
    return check_tree([int(cell) if cell.isdecimal() and len(cell) < 10 else cell for cell in cells], locations)


def check_tree(heads: Sequence[object], locations: Sequence[object]) -> List[int]:
    """
    Checks that the heads of a sentence form a tree.

    # Parameters

    heads : `Sequence[object]`
        The T heads of a sentence, or other values in their place. Several roots are legal.
    locations : `Sequence[object]`
        The location of each head, for error messages.

    # Returns

    `List[int]`
        The heads.

    # Raises

    `ConfigurationError` where a head is not an integer from 0 to T, there is no root, or there is a cycle.
    """
    tree: List[int] = []
    for head, location in zip(heads, locations, strict=True):
        if type(head) is not int or not 0 <= head <= len(heads):
            raise format_error(location, f"the head {head!r}", f"an integer from 0 to {len(heads)}")
        tree.append(head)
    if 0 not in tree:
        raise format_error(locations[0], "a sentence without a root", "at least one head of 0")
    rooted = {0}
    for word in range(1, len(tree) + 1):
        # The words on the way, in order.
        path: Dict[int, None] = {}
        while word not in rooted:
            if word in path:
                way = list(path)
                cycle = " -> ".join(map(str, [*way[way.index(word) :], word]))
                raise format_error(locations[word - 1], f"the cycle of heads {cycle}", "a tree")
            path[word] = None
            word = tree[word - 1]
        rooted.update(path)
    return tree

"""Reads entities in their two notations, tags and brackets, and dependency trees: lists of heads."""

import re
from collections import defaultdict
from itertools import chain
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from nerzoo.errors import format_error
from nerzoo.text import tag_schemes
from nerzoo.text.annotation import Entity, nested

_BRACKET = re.compile(r"(\()?([^()|]*)(\))?")


def tagged_spans(
    tags: Sequence[str], locations: Sequence[object], coding_scheme: str, notation: str = "prefix"
) -> List[Entity]:
    """Reads tags in a `notation` as `tags_to_entities` does. Raises `ConfigurationError` for one of another scheme."""
    outside, read_as = "O", tags
    if notation == "suffix":
        outside, read_as = "null", [tag_schemes.prefixed(tag) for tag in tags]
    for tag, known, location in zip(tags, read_as, locations, strict=True):
        if not tag_schemes.is_well_formed(known, coding_scheme):
            prefixes = ", ".join(sorted(set(tag_schemes.SCHEMES[coding_scheme])))
            expected = f"{outside}, or one of {prefixes} with a label: {coding_scheme}"
            raise format_error(location, f"the tag {tag!r}", expected)
    return tag_schemes.tags_to_entities(read_as, coding_scheme)


def bracketed_spans(cells: Sequence[str], locations: Sequence[object], name: Callable[[str], str]) -> List[Entity]:
    """
    Reads the brackets of a sentence, which may be nested: for each word, any number of `(body`, `(body)` and `name)`,
    with or without `|` between them. `name` returns the name in the body of an opening bracket; a closing bracket
    closes the innermost open bracket of its name. The bodies of opening brackets become labels. Raises
    `ConfigurationError`, at the location of a word, where a bracket has no counterpart in the sentence, or spans cross.
    """
    spans: List[Entity] = []
    unclosed: Dict[str, List[Tuple[int, str]]] = defaultdict(list)
    for position, cell in enumerate(cells):
        for opening, body, closing in _BRACKET.findall(cell):
            if opening and body:
                unclosed[name(body)].append((position, body))
            elif opening or (body and not closing):
                raise format_error(locations[position], repr(cell), "brackets such as '(A', '(A)' or 'A)'")
            if closing:
                if not unclosed[name(body)]:
                    found = f"the closing bracket {body + ')'!r}"
                    raise format_error(locations[position], found, "an opening one before it")
                start, body = unclosed[name(body)].pop()
                spans.append(Entity(start, position + 1, body))
    for start, body in sorted(chain.from_iterable(unclosed.values())):
        found = f"the opening bracket {'(' + body!r}"
        raise format_error(locations[start], found, "a closing one in the same sentence")
    return nested(spans, lambda span: locations[span.start])


def parse_heads(cells: Sequence[str], locations: Sequence[object]) -> Optional[List[int]]:
    """Reads a column of heads and checks it by `check_tree`. Returns `None` where all cells are `_`: not annotated."""
    if all(cell == "_" for cell in cells):
        return None
    return check_tree([int(cell) if cell.isdecimal() and len(cell) < 10 else cell for cell in cells], locations)


def check_tree(heads: Sequence[object], locations: Sequence[object]) -> List[int]:
    """Returns heads from 1 to T, 0 for a root. Raises `ConfigurationError` for other values, no root, or a cycle."""
    tree: List[int] = []
    for head, location in zip(heads, locations, strict=True):
        if type(head) is not int or not 0 <= head <= len(heads):
            raise format_error(location, f"the head {head!r}", f"an integer from 0 to {len(heads)}")
        tree.append(head)
    if 0 not in tree:
        raise format_error(locations[0], "a sentence without a root", "at least one head of 0")
    rooted = {0}
    for word in range(1, len(tree) + 1):
        # The words on the path to a root, in order, each with its head.
        path: Dict[int, int] = {}
        while word not in rooted:
            if word in path:
                way = [*path, word]
                cycle = " -> ".join(map(str, way[way.index(word) :]))
                raise format_error(locations[word - 1], f"the cycle of heads {cycle}", "a tree")
            path[word] = tree[word - 1]
            word = path[word]
        rooted.update(path)
    return tree

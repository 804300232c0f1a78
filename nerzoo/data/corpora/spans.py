"""Entities as file formats have them, tagged or bracketed, and their order in a `Sentence`."""

import re
from typing import Callable, Iterable, List, Sequence, Tuple

from nerzoo.data import tag_schemes
from nerzoo.data.annotation import Entity
from nerzoo.data.lines import format_error

_BRACKET = re.compile(r"(\()?([^()|]*)(\))?")


def ordered(entities: Iterable[Entity]) -> List[Entity]:
    """The entities in order of start, outer before inner, without duplicates."""
    return sorted(set(entities), key=lambda entity: (entity.start, -entity.end, entity.label))


def tagged_spans(tags: Sequence[str], where: Sequence[object], scheme: str, notation: str = "prefix") -> List[Entity]:
    """
    The spans that tags mark.

    # Parameters

    tags : `Sequence[str]`
        The tag of each word. They may follow one another in any order: see `nerzoo.data.tag_schemes.tags_to_entities`.
    where : `Sequence[object]`
        The place of each word, for error messages.
    scheme : `str`
        One of `nerzoo.data.tag_schemes.SCHEMES`.
    notation : `str`, optional (default = `"prefix"`)
        `"prefix"`: `B-hotel` and `O`; `"suffix"`: `hotel-B` and `null`, see `nerzoo.data.tag_schemes.prefixed`.

    # Raises

    `ConfigurationError` if a tag is not of the scheme.
    """
    outside, read_as = "O", tags
    if notation == "suffix":
        outside, read_as = "null", [tag_schemes.prefixed(tag) for tag in tags]
    for tag, known, place in zip(tags, read_as, where, strict=True):
        if not tag_schemes.is_well_formed(known, scheme):
            prefixes = ", ".join(sorted(set(tag_schemes.SCHEMES[scheme])))
            raise format_error(place, f"the tag {tag!r}", f"{outside}, or one of {prefixes} with a label: {scheme}")
    return tag_schemes.tags_to_entities(read_as, scheme)


def bracketed_spans(cells: Sequence[str], where: Sequence[object], name: Callable[[str], str]) -> List[Entity]:
    """
    The spans that brackets mark, which may be nested.

    # Parameters

    cells : `Sequence[str]`
        Of each word, any number of `(body`, `(body)` and `name)`, with or without `|` between them.
    where : `Sequence[object]`
        The place of each word, for error messages.
    name : `Callable[[str], str]`
        What a closing bracket repeats of its opening bracket's body. The innermost open one of that name is closed.

    # Returns

    `List[Entity]`
        In order of start, outer before inner. The labels are the bodies of the opening brackets.

    # Raises

    `ConfigurationError` if a bracket has no counterpart in the sentence, or if spans cross.
    """
    spans: List[Entity] = []
    unclosed: List[Tuple[int, str]] = []
    for position, cell in enumerate(cells):
        for opening, body, closing in _BRACKET.findall(cell):
            if opening and body:
                unclosed.append((position, body))
            elif opening or (body and not closing):
                raise format_error(where[position], repr(cell), "brackets such as '(A', '(A)' or 'A)'")
            if closing:
                counterparts = [bracket for bracket in unclosed if name(bracket[1]) == name(body)]
                if not counterparts:
                    raise format_error(
                        where[position], f"the closing bracket {body + ')'!r}", "an opening one before it"
                    )
                unclosed.remove(counterparts[-1])
                start, body = counterparts[-1]
                spans.append(Entity(start, position + 1, body))
    for start, body in unclosed:
        raise format_error(where[start], f"the opening bracket {'(' + body!r}", "a closing one in the same sentence")
    spans = ordered(spans)
    _check_nested(spans, where)
    return spans


def _check_nested(spans: List[Entity], where: Sequence[object]) -> None:
    around: List[Entity] = []
    for span in spans:
        while around and around[-1].end <= span.start:
            around.pop()
        if around and around[-1].end < span.end:
            raise format_error(where[span.start], f"{span}, which crosses {around[-1]}", "nested entities")
        around.append(span)

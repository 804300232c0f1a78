"""
Coding schemes: entities as tags, one per token. A tag is `O` or `PREFIX-LABEL`; only the first hyphen separates, so
that labels may contain hyphens. Some corpora write the prefix after the label, see `prefixed`.
"""

from heapq import heappop, heappush
from typing import Dict, Iterable, List, Sequence, Tuple

from nerzoo.errors import check_choice, configuration_error
from nerzoo.text.annotation import Entity

# A prefix has the same meaning in all coding schemes: conlleval does not know the coding scheme.
_READ_AS = {"O": "O", "B": "B", "I": "I", "E": "E", "L": "E", "S": "S", "U": "S"}


def tag_spans(tags: Sequence[str]) -> List[Tuple[int, int, str]]:
    """
    Turns the tags of a sentence into spans, `(start, end, label)`, in order, `end` exclusive.

    Any sequence of tags is legal: two neighbouring tags decide where spans start and end, as in `conlleval`. A span
    starts at B and S (or U); at I and E (or L) after O, E or S, and wherever the label changes. It ends before the next
    start, after E and S, and before O. A prefix without a label, such as "B" alone, has the empty label; a label
    without a prefix, such as "PERSON", is outside; an unknown prefix with a label counts as I.
    """
    spans: List[Tuple[int, int, str]] = []
    previous = "O"
    for position, tag in enumerate(tags):
        prefix, _, label = tag.partition("-")
        prefix = _READ_AS.get(prefix, "I" if label else "O")
        if prefix in "BS" or (prefix in "IE" and (previous in "OES" or label != spans[-1][2])):
            spans.append((position, position + 1, label))
        elif prefix != "O":
            spans[-1] = (spans[-1][0], position + 1, label)
        previous = prefix
    return spans


SCHEMES: Dict[str, List[str]] = {
    "BIO": ["B", "I", "I", "B"],
    "IOB1": ["B", "I", "I", "B"],
    "BIOUL": ["B", "I", "L", "U"],
    "BIOES": ["B", "I", "E", "S"],
}
"""The coding schemes, each with the prefixes of an entity's first, inner, last and only token."""
LAYERS = ("outermost", "innermost")
"""The layers of nested entities that `layer` selects."""


def check_coding_scheme(coding_scheme: str) -> None:
    """Raises `ConfigurationError` unless `coding_scheme` is one of `SCHEMES`."""
    if coding_scheme not in SCHEMES:
        raise configuration_error(f"found the coding scheme {coding_scheme!r}, expected one of {', '.join(SCHEMES)}")


def check_fit(entity: Entity, length: int) -> None:
    """Raises `ValueError` unless the entity is a span of a sentence of `length` tokens."""
    if not 0 <= entity.start < entity.end <= length:
        raise ValueError(f"{entity} does not fit into {length} tokens")


def is_well_formed(tag: str, coding_scheme: str) -> bool:
    """Returns whether a tag is `O`, or a prefix of the coding scheme with a label."""
    prefix, _, label = tag.partition("-")
    return tag == "O" or (prefix in SCHEMES[coding_scheme] and label.strip() != "")


def all_tags(types: Iterable[str], coding_scheme: str) -> List[str]:
    """Returns `O` and all tags that a coding scheme has for some types of entities, in order of the types."""
    prefixes = dict.fromkeys(SCHEMES[coding_scheme])
    return ["O", *(f"{prefix}-{type}" for type in types for prefix in prefixes)]


def prefixed(tag: str) -> str:
    """Rewrites a tag in the notation of MEDIA: `hotel-parking-B` as `B-hotel-parking`, and `null` as `O`."""
    if tag == "null":
        return "O"
    label, _, prefix = tag.rpartition("-")
    return f"{prefix}-{label}"


def entities_to_tags(entities: Iterable[Entity], length: int, coding_scheme: str) -> List[str]:
    """Turns flat entities, in any order, into tags. Raises `ValueError` where they overlap or do not fit."""
    check_coding_scheme(coding_scheme)
    first, inner, last, only = SCHEMES[coding_scheme]
    tags = ["O"] * length
    previous = Entity(0, 0, "")
    for entity in sorted(entities):
        check_fit(entity, length)
        start, end, label = entity
        if start < previous.end:
            raise ValueError(f"{previous} and {entity} overlap")
        prefixes = [only] if end - start == 1 else [first, *[inner] * (end - start - 2), last]
        if coding_scheme == "IOB1" and (previous.end, previous.label) != (start, label):
            prefixes[0] = "I"
        tags[start:end] = [f"{prefix}-{label}" for prefix in prefixes]
        previous = entity
    return tags


def tags_to_entities(tags: Sequence[str], coding_scheme: str) -> List[Entity]:
    """Turns the tags of a sentence into its entities, see `tag_spans`. Raises the error of `check_coding_scheme`."""
    check_coding_scheme(coding_scheme)
    return [Entity(*span) for span in tag_spans(tags)]


def layer(entities: Iterable[Entity], which: str) -> List[Entity]:
    """
    Selects flat entities, in order, from possibly nested ones: the "outermost", inside no other kept one, or the
    "innermost", which contain no other. Keeps the first of a span, and of two that cross the one that starts first.
    """
    check_choice("layer", which, LAYERS)
    if which == "innermost":
        innermost: List[Entity] = []
        # In order of end, an entity contains another one if and only if an earlier one does not start before it.
        for entity in sorted(entities, key=lambda entity: (entity.end, -entity.start)):
            if not innermost or entity.start > innermost[-1].start:
                innermost.append(entity)
        entities = innermost
    kept: List[Entity] = []
    for entity in sorted(entities, key=_outer_first):
        if not kept or entity.start >= kept[-1].end:
            kept.append(entity)
    return kept


def layers(entities: Iterable[Entity]) -> List[List[Entity]]:
    """Splits nested entities into flat layers, each the outermost layer of the entities in no earlier layer."""
    result: List[List[Entity]] = []
    # Two heaps: the layers whose last entity ends before the current one starts, and the other layers with that end.
    free: List[int] = []
    taken: List[Tuple[int, int]] = []
    for entity in sorted(dict.fromkeys(entities), key=_outer_first):
        while taken and taken[0][0] <= entity.start:
            heappush(free, heappop(taken)[1])
        if not free:
            heappush(free, len(result))
            result.append([])
        number = heappop(free)
        result[number].append(entity)
        heappush(taken, (entity.end, number))
    return result


def _outer_first(entity: Entity) -> Tuple[int, int]:
    return entity.start, -entity.end

"""Entities of a sentence in their order, outer ones before those inside them."""

from typing import Callable, Iterable, Iterator, List, Tuple

from nerzoo.data.annotation import Entity
from nerzoo.data.lines import format_error


def ordered(entities: Iterable[Entity]) -> List[Entity]:
    """Sorts entities in order of start, outer before inner, and drops duplicates."""
    return sorted(set(entities), key=lambda entity: (entity.start, -entity.end, entity.label))


def nested(
    entities: Iterable[Entity], location: Callable[[Entity], object], expected: str = "nested entities"
) -> List[Entity]:
    """
    Puts annotated entities of a sentence or a text in order, as `ordered` does.

    # Parameters

    entities : `Iterable[Entity]`
    location : `Callable[[Entity], object]`
        Returns the location of an entity, for error messages.
    expected : `str`, optional (default = `"nested entities"`)
        What error messages say was expected.

    # Raises

    `ConfigurationError` where two entities cross: each has a word of the other and one that the other has not. No
    tagger finds such entities, and no brackets express them.
    """
    found = ordered(entities)
    for entity, other in crossing(found):
        raise format_error(location(entity), f"{entity}, which crosses {other}", expected)
    return found


def crossing(entities: Iterable[Entity]) -> Iterator[Tuple[Entity, Entity]]:
    """Yields the entities, in order, that cross one which starts before them, each with that; they count no further."""
    enclosing: List[Entity] = []
    for entity in entities:
        while enclosing and enclosing[-1].end <= entity.start:
            enclosing.pop()
        if enclosing and enclosing[-1].end < entity.end:
            yield entity, enclosing[-1]
        else:
            enclosing.append(entity)

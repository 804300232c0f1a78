"""Says which predicted entity stands for which gold one, and what is wrong with it."""

from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from nerzoo.text.annotation import Entity

CORRECT = "correct"
ERRORS = ("missed", "spurious", "wrong type", "wrong boundary", "wrong type and boundary")
"""The kinds of errors."""


class Match(NamedTuple):
    """A gold entity and the predicted one that stands for it; one of them is `None` where the other stands alone."""

    gold: Optional[Entity]
    predicted: Optional[Entity]

    @property
    def kind(self) -> str:
        """`CORRECT`, or one of `ERRORS`."""
        if self.gold is None:
            return "spurious"
        if self.predicted is None:
            return "missed"
        wrong = [
            name
            for name, found, expected in (
                ("type", self.predicted.label, self.gold.label),
                ("boundary", self.predicted[:2], self.gold[:2]),
            )
            if found != expected
        ]
        return f"wrong {' and '.join(wrong)}" if wrong else CORRECT


def match_entities(gold: Sequence[Entity], predicted: Sequence[Entity]) -> List[Match]:
    """
    Matches each gold entity of a sentence with one predicted entity at most, and the other way round. Those that are
    equal are matched first, then those with the same span, then those that overlap and have the same type, then those
    that only overlap; among these, those whose boundaries are the closest. Entities may be nested.

    # Returns

    `List[Match]`
        Those of the gold entities, in their order, and then the spurious ones.
    """
    found = {entity: entity for entity in set(gold).intersection(predicted)}
    rest = [entity for entity in predicted if entity not in found]
    taken = set()
    for _, truth, entity in sorted(_candidates([entity for entity in gold if entity not in found], rest)):
        if truth not in found and entity not in taken:
            found[truth] = entity
            taken.add(entity)
    matches = [Match(entity, found.get(entity)) for entity in gold]
    return matches + [Match(None, entity) for entity in rest if entity not in taken]


def overlap(first: Entity, second: Entity) -> bool:
    """Returns whether two entities have a word in common."""
    return first.start < second.end and second.start < first.end


def distance(first: Entity, second: Entity) -> int:
    """Returns by how many words the boundaries of two entities differ."""
    return abs(first.start - second.start) + abs(first.end - second.end)


def _candidates(
    gold: Sequence[Entity], predicted: Sequence[Entity]
) -> Iterator[Tuple[Tuple[bool, bool, int], Entity, Entity]]:
    for truth in gold:
        for entity in predicted:
            if overlap(truth, entity):
                apart = distance(truth, entity)
                yield (apart > 0, truth.label != entity.label, apart), truth, entity

"""Matches of predicted with gold annotation: counts for scores, and the kinds of errors."""

from operator import eq
from typing import List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy

from nerzoo.formats.predictions import Prediction
from nerzoo.formats.threads import Link
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import exact_matches
from nerzoo.training.metrics.concept_error_rate import concept_errors

METRICS = {
    "f1": "entities",
    "accuracy": "tags",
    "cer": "entities",
    "link_f1": "links",
    "act_f1": "links",
    "joint_f1": "links",
}
"""The kind of annotation that each metric scores."""


def sentence_counts(metric: str, predictions: Sequence[Prediction], sclite_weights: bool = False) -> numpy.ndarray:
    """
    Returns two numbers for each of N sentences or threads with predicted and gold annotation, shape (N, 2). The score
    of a file is the sum of the first numbers, divided by the sum of the second ones: of `"f1"`, F1 of entities;
    `"accuracy"`, accuracy of tags; `"cer"`, the concept error rate, of the types of entities in order; or `"link_f1"`,
    `"act_f1"` and `"joint_f1"`, F1 of links of posts, as in `ThreadScores`. With `sclite_weights`, `"cer"` counts the
    errors of an alignment with the weights of sclite, see `concept_errors`.
    """
    pairs = [(sentence.predicted, sentence.gold) for sentence in predictions]
    if metric == "cer":
        found, annotated = ([[entity.label for entity in side] for side in sides] for sides in zip(*pairs, strict=True))
        *errors, num_gold = concept_errors(found, annotated, sclite_weights)
        return numpy.stack([sum(errors), num_gold], axis=1)
    if metric == "accuracy":
        return numpy.array([(sum(map(eq, tags, truth)), len(truth)) for tags, truth in pairs])
    if METRICS[metric] == "links":
        return numpy.array([_thread_counts(metric, links, truth) for links, truth in pairs])
    return numpy.array([(2 * len(exact_matches(*pair)), sum(map(len, pair))) for pair in pairs])


def _thread_counts(metric: str, predicted: Sequence[Sequence[Link]], gold: Sequence[Sequence[Link]]) -> Tuple[int, int]:
    def items(links: Sequence[Link]) -> Set[object]:
        return {*links} if metric == "joint_f1" else {to if metric == "link_f1" else act for to, act in links}

    pairs = [(items(links), items(truth)) for links, truth in zip(predicted, gold, strict=True)]
    return sum(2 * len(exact_matches(*pair)) for pair in pairs), sum(len(side) for pair in pairs for side in pair)


CORRECT = "correct"
ERRORS = ("missed", "spurious", "wrong type", "wrong boundary", "wrong type and boundary")
"""The kinds of errors."""


class Match(NamedTuple):
    """A gold entity and its predicted counterpart; `None` where an entity has no counterpart."""

    gold: Optional[Entity]
    predicted: Optional[Entity]

    @property
    def kind(self) -> str:
        """`CORRECT`, or one of `ERRORS`."""
        if self.gold is None:
            return "spurious"
        if self.predicted is None:
            return "missed"
        wrong = ["type"] if self.predicted.label != self.gold.label else []
        wrong += ["boundary"] if self.predicted[:2] != self.gold[:2] else []
        return f"wrong {' and '.join(wrong)}" if wrong else CORRECT


def match_entities(gold: Sequence[Entity], predicted: Sequence[Entity]) -> List[Match]:
    """
    Matches each gold entity of a sentence with at most one predicted entity, and vice versa. Equal entities are matched
    first, then entities with the same span, then overlapping entities of the same type, then other overlapping
    entities; within each step, the entities with the closest boundaries. Entities may be nested. Returns the matches of
    the gold entities, in their order, and then the spurious entities.
    """
    found = {entity: entity for entity in exact_matches(predicted, gold)}
    rest = [entity for entity in predicted if entity not in found]
    taken = set()
    candidates = []
    for truth in (entity for entity in gold if entity not in found):
        for entity in (entity for entity in rest if overlap(truth, entity)):
            apart = distance(truth, entity)
            candidates.append(((apart > 0, truth.label != entity.label, apart), truth, entity))
    for _, truth, entity in sorted(candidates):
        if truth not in found and entity not in taken:
            found[truth] = entity
            taken.add(entity)
    matches = [Match(entity, found.get(entity)) for entity in gold]
    return matches + [Match(None, entity) for entity in rest if entity not in taken]


def overlap(first: Entity, second: Entity) -> bool:
    """Returns whether two entities have a word in common."""
    return first.start < second.end and second.start < first.end


def distance(first: Entity, second: Entity) -> int:
    """Returns the number of words by which the boundaries of two entities differ."""
    return abs(first.start - second.start) + abs(first.end - second.end)

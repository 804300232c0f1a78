"""Four ways to score entities: strict, by boundary, by type, and partial."""

from collections import Counter
from dataclasses import asdict
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy

from nerzoo.evaluation.matching import CORRECT, ERRORS, distance, match_entities, overlap
from nerzoo.evaluation.reliability import reliability
from nerzoo.formats.predictions import Prediction
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import exact_matches, precision_recall_f

SCHEMES = ("strict", "boundary", "type", "partial")
"""
The conditions for a correct entity, as in task 9.1 of SemEval-2013 (Segura-Bedmar, Martínez and Herrero-Zazo, 2013):
`"strict"`: boundary and type; `"boundary"`: the boundary; `"type"`: the type, and an overlap; `"partial"`: the
boundary, or an overlap, which counts half, whatever the type.
"""


def scheme_counts(sentences: Sequence[Prediction], label: Optional[str] = None) -> numpy.ndarray:
    """
    Counts for each of N sentences the correct entities by each scheme of `SCHEMES`, the predicted and the gold
    entities: shape (N, 6). With a `label`, entities of other types are left out.
    """
    rows = []
    for sentence in sentences:
        gold, predicted = sentence.gold, sentence.predicted
        if label is not None:
            gold, predicted = ([entity for entity in side if entity.label == label] for side in (gold, predicted))
        rows.append([*_correct(gold, predicted), len(predicted), len(gold)])
    return numpy.array(rows, float).reshape(-1, len(SCHEMES) + 2)


def scores(counts: numpy.ndarray) -> Dict[str, Dict[str, Any]]:
    """
    Returns from the counts of sentences, (N, 6), `precision`, `recall` and `f1` by each scheme, with the numbers of
    `correct`, `predicted` and `gold` entities. 0 / 0 is 0.
    """
    # Numbers are whole, but for partial matches.
    *correct, predicted, gold = (value if value % 1 else int(value) for value in counts.sum(0).tolist())
    return {
        scheme: {**precision_recall_f(right, predicted, gold), "correct": right, "predicted": predicted, "gold": gold}
        for scheme, right in zip(SCHEMES, correct, strict=True)
    }


def _correct(gold: Sequence[Entity], predicted: Sequence[Entity]) -> List[float]:
    if not gold or not predicted:
        return [0.0] * len(SCHEMES)
    strict = len(exact_matches(predicted, gold))
    if strict == len(gold) == len(predicted):
        return [strict] * len(SCHEMES)
    # Several entities may have the same span.
    spans = [Counter(entity[:2] for entity in side) for side in (gold, predicted)]
    boundary = (spans[0] & spans[1]).total()

    def closest(truth: Entity, entity: Entity) -> Tuple[bool, int]:
        return truth.label != entity.label, distance(truth, entity) if truth.label == entity.label else 0

    # An entity that is right goes first: where entities are nested, others might take its gold entity.
    pairs = _overlapping(gold, predicted, lambda entity: entity not in gold, closest)
    same_type = sum(truth.label == entity.label for truth, entity in pairs)
    partial = _overlapping(
        gold, predicted, lambda entity: entity[:2] not in spans[0], lambda truth, entity: truth[:2] != entity[:2]
    )
    return [strict, boundary, same_type, boundary + (sum(1 for _ in partial) - boundary) / 2]


def _overlapping(
    gold: Sequence[Entity],
    predicted: Sequence[Entity],
    order: Callable[[Entity], Any],
    distance: Callable[[Entity, Entity], Any],
) -> Iterator[Tuple[Entity, Entity]]:
    """Yields each predicted entity, in order, with the closest gold entity that it overlaps and that is left."""
    rest = list(gold)
    for entity in sorted(predicted, key=order):
        candidates = [truth for truth in rest if overlap(truth, entity)]
        if candidates:
            found = min(candidates, key=lambda truth: distance(truth, entity))
            rest.remove(found)
            yield found, entity


def averaged(values: Sequence[Any]) -> Any:
    """
    Averages the results of several runs: numbers, also in lists and dictionaries of the same shape; of other values it
    returns the first. A single result stays as it is.
    """
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, dict):
        return {name: averaged([value[name] for value in values]) for name in first}
    if isinstance(first, list):
        return [averaged(items) for items in zip(*values, strict=True)]
    return sum(values) / len(values) if isinstance(first, (int, float)) else first


def errors_and_confusion(sentences: Sequence[Prediction], types: Sequence[str]) -> Dict[str, Any]:
    """
    Counts the kinds of errors, as `match_entities` finds them, and the confusions of all L `types` of gold and
    predicted entities. Returns `errors`: the number of each kind of `ERRORS`; `errors_by_type`: the same for each type,
    the gold one or, for spurious entities, the predicted one; and `confusion`: L + 1 rows of L + 1 numbers, of gold
    types, in order, and spurious entities, by predicted types, in order, and missed entities.
    """
    kinds: Counter = Counter()
    cells: Counter = Counter()
    for sentence in sentences:
        for match in match_entities(sentence.gold, sentence.predicted):
            known = match.gold or match.predicted
            assert known is not None
            kinds[match.kind, known.label] += 1
            cells[tuple(None if entity is None else entity.label for entity in match)] += 1
    places: List[Any] = [*types, None]
    return {
        "errors": {kind: sum(kinds[kind, type_] for type_ in types) for kind in ERRORS},
        "errors_by_type": {type_: {kind: kinds[kind, type_] for kind in (CORRECT, *ERRORS)} for type_ in types},
        "confusion": [[cells[row, column] for column in places] for row in places],
    }


def entity_reliability(sentences: Sequence[Prediction], types: Sequence[str]) -> Optional[Dict[str, Any]]:
    """
    Compares the probabilities of predicted entities with the share that is correct, by boundary and type. Returns
    `overall` and, by type, `by_type`: each the fields of a `Reliability`, and the number of entities as `count`; `None`
    where some predicted entity has no probability, or there is none.
    """
    found = [sentence for sentence in sentences if sentence.predicted]
    if not found or any(sentence.probabilities is None for sentence in found):
        return None
    probabilities = numpy.array([value for sentence in found for value in sentence.probabilities or ()])
    correct = numpy.array([entity in sentence.gold for sentence in found for entity in sentence.predicted])
    labels = numpy.array([entity.label for sentence in found for entity in sentence.predicted])

    def measured(chosen: numpy.ndarray) -> Dict[str, Any]:
        return {"count": int(chosen.sum()), **asdict(reliability(probabilities[chosen], correct[chosen]))}

    return {"overall": measured(labels == labels), "by_type": {type_: measured(labels == type_) for type_ in types}}

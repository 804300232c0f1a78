"""Four ways to score entities: strict, by their boundary alone, by their type alone, and partial."""

from collections import Counter
from dataclasses import asdict
from typing import Any, Dict, List, Optional, Sequence

import numpy

from nerzoo.evaluation.calibration import reliability
from nerzoo.reports.evaluated_sentence import EvaluatedSentence
from nerzoo.reports.matching import CORRECT, ERRORS, distance, match_entities, overlap
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import precision_recall_f

SCHEMES = ("strict", "boundary", "type", "partial")
"""
What makes a predicted entity correct, as in task 9.1 of SemEval-2013 (Segura-Bedmar, Martínez and Herrero-Zazo, 2013):
`"strict"`: boundary and type; `"boundary"`: the boundary; `"type"`: the type, and an overlap; `"partial"`: the
boundary, or by half an overlap, whatever the type.
"""


def scheme_counts(sentences: Sequence[EvaluatedSentence], label: Optional[str] = None) -> numpy.ndarray:
    """
    Counts, for each of N sentences, what is correct by each scheme of `SCHEMES`, what is predicted, and what is gold.

    # Parameters

    sentences : `Sequence[EvaluatedSentence]`
    label : `str`, optional
        Entities of other types are left out, as if they were not there.

    # Returns

    `numpy.ndarray`, (N, 6)
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
    Turns the counts of sentences, (N, 6), into `precision`, `recall` and `f1` by each scheme, with the numbers of what
    is `correct`, `predicted` and `gold`. 0 / 0 is 0.
    """
    # Whole numbers but for halves of what is partial.
    *correct, predicted, gold = (value if value % 1 else int(value) for value in counts.sum(0).tolist())
    return {
        scheme: {**precision_recall_f(right, predicted, gold), "correct": right, "predicted": predicted, "gold": gold}
        for scheme, right in zip(SCHEMES, correct, strict=True)
    }


def _correct(gold: Sequence[Entity], predicted: Sequence[Entity]) -> List[float]:
    if not gold or not predicted:
        return [0.0] * len(SCHEMES)
    strict = len({*gold}.intersection(predicted))
    if strict == len(gold) == len(predicted):
        return [strict] * len(SCHEMES)
    # Several entities may have the same span.
    spans = [Counter(entity[:2] for entity in side) for side in (gold, predicted)]
    boundary = (spans[0] & spans[1]).total()
    return [strict, boundary, _of_type(gold, predicted), _partial(gold, predicted, boundary)]


def _of_type(gold: Sequence[Entity], predicted: Sequence[Entity]) -> int:
    """
    From left to right, each predicted entity stands for the closest gold one of its type that it overlaps or, if there
    is none, for the first one that it overlaps. No gold entity has two that stand for it.
    """
    rest = list(gold)
    correct = 0
    # Those that are right take nothing from others where entities are flat; where they are nested, they might.
    for entity in sorted(predicted, key=lambda entity: entity not in rest):
        candidates = [truth for truth in rest if overlap(truth, entity)]
        if candidates:
            found = min(candidates, key=lambda truth: (truth.label != entity.label, _apart(truth, entity)))
            correct += found.label == entity.label
            rest.remove(found)
    return correct


def _apart(truth: Entity, entity: Entity) -> int:
    return distance(truth, entity) if truth.label == entity.label else 0


def _partial(gold: Sequence[Entity], predicted: Sequence[Entity], boundary: int) -> float:
    """From left to right, each predicted entity stands for the gold one of its span or the first one it overlaps."""
    rest = list(gold)
    spans = {entity[:2] for entity in gold}
    overlaps = 0
    for entity in sorted(predicted, key=lambda entity: entity[:2] not in spans):
        candidates = [truth for truth in rest if overlap(truth, entity)]
        if candidates:
            rest.remove(min(candidates, key=lambda truth: truth[:2] != entity[:2]))
            overlaps += 1
    return boundary + (overlaps - boundary) / 2


def averaged(values: Sequence[Any]) -> Any:
    """
    Averages what several runs have: the mean of numbers, and of the numbers in lists and dictionaries of the same
    shape; of anything else, that of the first run. What one run has stays as it is.
    """
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, dict):
        return {name: averaged([value[name] for value in values]) for name in first}
    if isinstance(first, list):
        return [averaged(items) for items in zip(*values, strict=True)]
    return sum(values) / len(values) if isinstance(first, (int, float)) else first


def errors_and_confusion(sentences: Sequence[EvaluatedSentence], types: Sequence[str]) -> Dict[str, Any]:
    """
    Counts the kinds of errors, as `match_entities` finds them, and which types were taken for which.

    # Parameters

    sentences : `Sequence[EvaluatedSentence]`
    types : `Sequence[str]`
        All types of gold and predicted entities, L of them.

    # Returns

    `Dict[str, Any]`
        `errors`: the number of each kind of `ERRORS`; `errors_by_type`: the same for each type, the gold one or, of
        spurious entities, the predicted one; and `confusion`: L + 1 rows of L + 1 numbers, of gold types, in order, and
        spurious entities, by predicted types, in order, and missed entities.
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


def calibration(sentences: Sequence[EvaluatedSentence], types: Sequence[str]) -> Optional[Dict[str, Any]]:
    """
    Compares the probabilities of predicted entities with how many of them are correct, by boundary and type.

    # Returns

    `Dict[str, Any]`, optional
        `overall` and, by type, `by_type`: each the fields of a `Reliability`, and the number of entities as `count`;
        `None` where some predicted entity has no probability, or there is none.
    """
    found = [sentence for sentence in sentences if sentence.predicted]
    if not found or any(sentence.probabilities is None for sentence in found):
        return None
    probabilities = numpy.array([value for sentence in found for value in sentence.probabilities or ()])
    entities = [(entity, sentence.gold) for sentence in found for entity in sentence.predicted]
    correct = numpy.array([entity in gold for entity, gold in entities])
    labels = numpy.array([entity.label for entity, _ in entities])

    def of(which: numpy.ndarray) -> Dict[str, Any]:
        return {"count": int(which.sum()), **asdict(reliability(probabilities[which], correct[which]))}

    return {"overall": of(labels == labels), "by_type": {type_: of(labels == type_) for type_ in types}}

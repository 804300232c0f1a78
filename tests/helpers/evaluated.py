"""Sentences with gold and predicted entities, in a short notation."""

from nerzoo.formats.jsonl import Prediction
from nerzoo.reports.systems import System
from nerzoo.text.annotation import Entity


def entities(text):
    """Returns the entities of a string such as `"0-2 PER, 3-4 LOC"`."""
    found = []
    for part in filter(None, text.split(", ")):
        span, label = part.split()
        start, end = map(int, span.split("-"))
        found.append(Entity(start, end, label))
    return found


def evaluated(gold, predicted, words=tuple("abcdefghij"), **more):
    return Prediction("file:1", list(words), entities(predicted), gold=entities(gold), **more)


def system(name, *runs):
    return System(name, [f"{name}-{number}.jsonl" for number in range(1, len(runs) + 1)], list(map(list, runs)))

import random

import pytest
from helpers.evaluated import entities

from nerzoo.evaluation.gold import CORRECT, ERRORS, match_entities


@pytest.mark.parametrize(
    "gold, predicted, kinds",
    [
        ("0-2 A", "0-2 A", [CORRECT]),
        ("0-2 A", "", ["missed"]),
        ("", "0-2 A", ["spurious"]),
        ("0-2 A", "2-3 A", ["missed", "spurious"]),
        ("0-2 A", "0-2 B", ["wrong type"]),
        ("0-2 A", "1-2 A", ["wrong boundary"]),
        ("0-2 A", "1-3 B", ["wrong type and boundary"]),
        # The one of the same type, and the closest of these.
        ("0-5 A", "0-4 B, 0-2 A, 0-3 A", ["wrong boundary", "spurious", "spurious"]),
        # What is right stands for nothing else; an entity of the same span comes before one of the same type.
        ("0-5 A, 1-2 B", "1-2 B", ["missed", CORRECT]),
        ("0-5 A, 1-2 B", "1-2 A", ["missed", "wrong type"]),
        # One stands for one alone.
        ("0-1 A, 2-3 A", "0-3 A", ["wrong boundary", "missed"]),
        # Two types of a span.
        ("0-1 A, 0-1 B", "0-1 B, 0-1 C", ["wrong type", CORRECT]),
    ],
)
def test_kinds(gold, predicted, kinds):
    assert [match.kind for match in match_entities(entities(gold), entities(predicted))] == kinds


def test_which_is_matched():
    (match,) = match_entities(entities("0-5 A"), entities("1-5 A"))
    assert [match.gold, match.predicted] == entities("0-5 A, 1-5 A")
    closest, *_ = match_entities(entities("0-5 A"), entities("0-4 B, 0-2 A, 0-3 A"))
    assert [closest.predicted] == entities("0-3 A")


def test_every_entity_is_there_once():
    chance = random.Random(5)
    known = {CORRECT, *ERRORS}
    for _ in range(300):
        gold, predicted = (
            list({(start := chance.randrange(5), start + chance.randint(1, 3), chance.choice("AB")) for _ in range(4)})
            for _ in range(2)
        )
        gold, predicted = (entities(", ".join(f"{s}-{e} {t}" for s, e, t in side)) for side in (gold, predicted))
        matches = match_entities(gold, predicted)
        assert [match.gold for match in matches if match.gold] == gold
        assert sorted(match.predicted for match in matches if match.predicted) == sorted(predicted)
        assert {match.kind for match in matches} <= known
        # None is left over that could stand for another one.
        missed = [match.gold for match in matches if match.kind == "missed"]
        spurious = [match.predicted for match in matches if match.kind == "spurious"]
        assert not any(one.start < other.end and other.start < one.end for one in missed for other in spurious)

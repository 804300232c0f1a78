import random

import numpy
import pytest
from helpers.evaluated import evaluated

from nerzoo.formats.jsonl import Prediction
from nerzoo.reports.systems import SCHEMES, averaged, entity_reliability, errors_and_confusion, scheme_counts, scores
from nerzoo.text.annotation import Entity

THEIR_NAMES = dict(zip(SCHEMES, ["strict", "exact", "ent_type", "partial"], strict=True))


def random_entities(chance, length):
    """Flat ones, in order."""
    found, start = [], 0
    while start < length:
        start += chance.choice([0, 0, 1, 2])
        end = start + chance.choice([1, 1, 2, 3, 5])
        if end <= length and chance.random() < 0.7:
            found.append(Entity(start, end, chance.choice("ABC")))
        start = end
    return found


def moved(chance, entities, length):
    """The same with errors of all kinds."""
    found = []
    for start, end, label in entities:
        if chance.random() < 0.3:
            label = chance.choice("ABC")
        if chance.random() < 0.3:
            start, end = start + chance.randint(-1, 1), end + chance.randint(-1, 1)
        if chance.random() < 0.8 and 0 <= start < end <= length and (not found or found[-1].end <= start):
            found.append(Entity(start, end, label))
    return found


def theirs(entities):
    return [{"label": label, "start": start, "end": end - 1} for start, end, label in entities]


@pytest.mark.parametrize("seed", range(40))
def test_flat_entities_as_nervaluate(seed):
    from nervaluate import Evaluator

    chance = random.Random(seed)
    sentences = []
    for _ in range(25):
        length = chance.randint(1, 15)
        gold = random_entities(chance, length)
        predicted = chance.choice([random_entities(chance, length), moved(chance, gold, length)])
        sentences.append(Prediction("", ["word"] * length, predicted, gold=gold))
    expected = Evaluator(
        [theirs(sentence.gold) for sentence in sentences],
        [theirs(sentence.predicted) for sentence in sentences],
        tags=list("ABC"),
        loader="dict",
    ).evaluate()
    for label, of_label in [(None, expected["overall"]), *expected["entities"].items()]:
        for scheme, found in scores(scheme_counts(sentences, label)).items():
            other = of_label[THEIR_NAMES[scheme]]
            assert [found[name] for name in ("precision", "recall", "f1")] == pytest.approx(
                [other.precision, other.recall, other.f1], abs=1e-12
            )
            assert (found["predicted"], found["gold"]) == (other.actual, other.possible)


@pytest.mark.parametrize(
    "gold, predicted, expected",
    [
        ("0-5 A, 1-2 B", "0-5 A, 1-2 B", [2, 2, 2, 2]),
        # The outer one overlaps the inner one, too, which is predicted.
        ("0-5 A, 1-2 B", "1-2 B, 0-4 A", [1, 1, 2, 1.5]),
        ("0-5 A, 1-2 B", "1-2 A", [0, 1, 1, 1]),
        ("0-5 A, 1-2 B", "0-5 B, 1-2 A", [0, 2, 2, 2]),
        # Two types of a span are two entities.
        ("0-1 A, 0-1 B", "0-1 A, 0-1 C", [1, 2, 1, 2]),
        ("0-1 A", "0-1 A, 0-1 C", [1, 1, 1, 1]),
        ("0-1 A", "", [0, 0, 0, 0]),
    ],
)
def test_nested_entities(gold, predicted, expected):
    assert scheme_counts([evaluated(gold, predicted)])[0, :4].tolist() == expected


def test_a_row_for_each_sentence():
    sentences = [evaluated("0-1 A, 2-3 B", "0-1 A"), evaluated("", "")]
    assert scheme_counts(sentences).tolist() == [[1, 1, 1, 1, 1, 2], [0] * 6]
    assert scheme_counts(sentences, "B").tolist() == [[0, 0, 0, 0, 0, 1], [0] * 6]


def test_nothing_is_zero():
    assert scores(numpy.zeros((3, 6)))["partial"] == {
        "precision": 0.0,
        "recall": 0.0,
        "f1": 0.0,
        "correct": 0,
        "predicted": 0,
        "gold": 0,
    }


def test_counts_are_whole_where_they_can_be():
    of_schemes = scores(scheme_counts([evaluated("0-2 A", "0-1 A")]))
    assert (of_schemes["partial"]["correct"], of_schemes["partial"]["f1"]) == (0.5, 0.5)
    assert isinstance(of_schemes["strict"]["gold"], int)


def test_numbers_wherever_they_are():
    runs = [
        {"a": 1, "b": [2.0, {"c": 4}], "name": "x", "nothing": None},
        {"a": 2, "b": [4.0, {"c": 4}], "name": "x", "nothing": None},
    ]
    assert averaged(runs) == {"a": 1.5, "b": [3.0, {"c": 4.0}], "name": "x", "nothing": None}


def test_one_run_stays_as_it_is():
    assert averaged([{"a": 1}]) == {"a": 1}
    assert isinstance(averaged([{"a": 1}])["a"], int)


SENTENCES = [
    evaluated("0-1 A, 2-3 A, 4-6 B, 7-9 B", "0-1 A, 2-3 B, 4-5 B, 8-10 A"),
    evaluated("0-1 A", "4-5 C"),
]


def test_all_kinds_of_errors():
    found = errors_and_confusion(SENTENCES, ["A", "B", "C"])
    assert found["errors"] == {
        "missed": 1,
        "spurious": 1,
        "wrong type": 1,
        "wrong boundary": 1,
        "wrong type and boundary": 1,
    }
    assert found["errors_by_type"]["A"] == {
        "correct": 1,
        "missed": 1,
        "spurious": 0,
        "wrong type": 1,
        "wrong boundary": 0,
        "wrong type and boundary": 0,
    }
    assert found["errors_by_type"]["C"]["spurious"] == 1
    assert found["confusion"] == [
        # A, B, C, missed
        [1, 1, 0, 1],
        [1, 1, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 1, 0],
    ]


def test_overall_and_by_type():
    sentences = [
        evaluated("0-1 A", "0-1 A, 2-3 B", probabilities=[0.9, 0.5]),
        evaluated("", ""),
        evaluated("0-1 B", "0-1 A", probabilities=[0.7]),
    ]
    found = entity_reliability(sentences, ["A", "B", "C"])
    assert found["overall"]["count"] == 3
    assert found["overall"]["brier_score"] == pytest.approx((0.1**2 + 0.5**2 + 0.7**2) / 3)
    assert found["overall"]["expected_calibration_error"] == pytest.approx((0.1 + 0.5 + 0.7) / 3)
    assert found["by_type"]["A"]["brier_score"] == pytest.approx((0.1**2 + 0.7**2) / 2)
    assert [each["count"] for each in found["by_type"]["B"]["bins"]] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert (found["by_type"]["C"]["count"], found["by_type"]["C"]["brier_score"]) == (0, None)


def test_without_probabilities():
    assert entity_reliability([evaluated("0-1 A", "")], ["A"]) is None
    known = evaluated("0-1 A", "0-1 A", probabilities=[0.5])
    assert entity_reliability([known, evaluated("0-1 A", "0-1 A")], ["A"]) is None

import pytest
from helpers.evaluated import evaluated, system

from nerzoo.evaluation.significance import holm
from nerzoo.runs.bench_report import alone, differences

RIGHT = [evaluated("0-2 A, 4-5 B", "0-2 A, 4-5 B")] * 20
HALF = [evaluated("0-2 A, 4-5 B", "0-2 A")] * 20
WRONG = [evaluated("0-2 A, 4-5 B", "0-1 A, 4-5 C")] * 20


def test_all_pairs_are_compared_and_corrected():
    intervals, pairs = differences([system("r", RIGHT), system("h", HALF), system("w", WRONG)], 999, 1)
    assert [(pair["first"], pair["second"]) for pair in pairs] == [("r", "h"), ("r", "w"), ("h", "w")]
    assert [pair["difference"] for pair in pairs] == pytest.approx([1 / 3, 1.0, 2 / 3])
    assert [pair["corrected"] for pair in pairs] == holm([pair["p_value"] for pair in pairs])
    assert all(pair["corrected"] >= 3 * 0.001 and pair["corrected"] < 0.05 for pair in pairs)
    assert intervals["r"] == [1.0, 1.0] and intervals["w"] == [0.0, 0.0]


def test_equal_systems_differ_by_noise():
    _, (pair,) = differences([system("one", HALF), system("other", HALF)], 99, 1)
    assert (pair["difference"], pair["p_value"], pair["corrected"]) == (0.0, 1.0, 1.0)


def test_one_system_has_an_interval():
    intervals, pairs = differences([system("h", HALF)], 99, 1)
    assert pairs == [] and intervals["h"] == pytest.approx([2 / 3, 2 / 3])


def test_what_one_finds_and_no_other_does():
    systems = [
        system("a", [evaluated("0-2 A, 4-5 B, 7-8 C", "0-2 A")]),
        system("b", [evaluated("0-2 A, 4-5 B, 7-8 C", "0-2 A, 4-5 B")]),
    ]
    found = alone(systems)
    assert (found["by_any"], found["by_none"]) == (2, 1)
    assert found["by_system"]["a"] == {"count": 0, "examples": []}
    (example,) = found["by_system"]["b"]["examples"]
    assert example == {"text": "e", "label": "B", "sentence": "a b c d e f g h i j"}


def test_a_system_finds_what_most_of_its_runs_find():
    runs = [[evaluated("0-2 A", found)] for found in ("0-2 A", "0-2 A", "")]
    assert alone([system("a", *runs)])["by_system"]["a"]["count"] == 1
    assert alone([system("a", *runs[1:])])["by_none"] == 1

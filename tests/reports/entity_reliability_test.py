import pytest
from helpers.evaluated import evaluated

from nerzoo.reports.scores import entity_reliability


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

import json

import pytest
from helpers.evaluated import entities, evaluated, system

from nerzoo.formats.predictions import Prediction
from nerzoo.reports.report import build_report

RIGHT = evaluated("0-2 A, 4-5 B", "0-2 A, 4-5 B", document_id="d", position=1)
WRONG = evaluated("0-2 A, 4-5 B", "4-5 C", document_id="d", position=2)
TRAINING = [Prediction("train:1", list("abcdefghij"), gold=entities("0-2 A, 4-5 D"))]


def test_one_run():
    report = build_report([system("a", [RIGHT, WRONG])])
    assert json.loads(json.dumps(report)) == report
    assert report["data"] == {
        "num_sentences": 2,
        "num_documents": 1,
        "num_words": 20,
        "num_entities": 4,
        "types": {"A": 2, "B": 2, "C": 0},
    }
    (only,) = report["systems"]
    assert (only["name"], only["files"], only["standard_deviation"]) == ("a", ["a-1.jsonl"], None)
    assert only["scores"]["strict"]["precision"] == pytest.approx(2 / 3) and only["scores"]["strict"]["recall"] == 0.5
    assert only["by_type"]["B"]["strict"]["f1"] == pytest.approx(2 / 3)
    assert only["errors"]["missed"] == only["errors"]["wrong type"] == 1
    assert [each["name"] for each in report["groupings"]] == list(only["groups"]) == ["length", "sentence_length"]
    assert (only["calibration"], report["training"], report["comparisons"]) == (None, None, [])
    assert [sentence["index"] for sentence in report["sentences"]] == [1]
    assert report["warnings"] == ["a predicts types that no gold entity has: C."]


def test_means_over_runs():
    (only,) = build_report([system("a", [RIGHT, WRONG], [RIGHT, RIGHT])])["systems"]
    assert only["f1_of_runs"] == [pytest.approx(4 / 7), 1.0]
    assert only["scores"]["strict"]["f1"] == pytest.approx((4 / 7 + 1) / 2)
    assert only["standard_deviation"] == pytest.approx(3 / 7 / 2**0.5)
    assert (only["scores"]["strict"]["correct"], only["errors"]["missed"]) == (3, 0.5)
    assert only["by_type"]["C"]["strict"]["predicted"] == 0.5


def test_probabilities_of_all_runs():
    runs = [[evaluated("0-1 A", "0-1 A", probabilities=[value])] for value in (0.5, 0.75)]
    (only,) = build_report([system("a", *runs)])["systems"]
    assert (only["calibration"]["overall"]["count"], only["calibration"]["by_type"]["A"]["count"]) == (2, 2)


def test_systems_are_compared_with_the_first():
    systems = [system("a", [RIGHT, RIGHT]), system("b", [RIGHT, WRONG]), system("c", [WRONG, RIGHT])]
    report = build_report(systems, num_resamples=9)
    assert [(each["first"], each["second"]) for each in report["comparisons"]] == [("a", "b"), ("a", "c")]
    assert [each["differing"] for each in report["comparisons"]] == [[1], [0]]


def test_training_data():
    report = build_report([system("a", [RIGHT, WRONG])], TRAINING)
    assert report["training"]["num_duplicates"] == 2
    assert report["warnings"][1:] == [
        "Training data has no entity of these types: B.",
        "Training data has 2 of the 2 sentences, and near-duplicates of 0 more; 2 of all these have entities, so that "
        "scores may be too high.",
    ]
    assert "familiarity" in report["systems"][0]["groups"]
    empty = evaluated("", "")
    assert build_report([system("a", [empty])], TRAINING)["warnings"][-1].endswith("0 of all these have entities.")
    other = evaluated("", "", words=["other"])
    assert len(build_report([system("a", [other])], TRAINING)["warnings"]) == 2


def test_no_entity_at_all():
    report = build_report([system("a", [evaluated("", "")]), system("b", [evaluated("", "")])])
    assert report["warnings"] == [
        "The gold annotation has no entity: there is nothing to find, and recall and F1 are 0.",
        "a predicts no entity.",
        "b predicts no entity.",
        "Of one sentence there are no intervals and no p values.",
    ]
    assert report["data"]["num_documents"] is None and report["sentences"] == []
    assert report["systems"][0]["scores"]["strict"]["f1"] == 0.0

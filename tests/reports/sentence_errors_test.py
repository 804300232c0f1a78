from helpers.evaluated import evaluated, system

from nerzoo.reports.report import sentence_errors


def test_the_worst_come_first():
    right = evaluated("0-1 A", "0-1 A")
    one = evaluated("0-1 A", "", document_id="d")
    three = evaluated("0-1 A, 2-4 B", "5-6 C, 2-3 B", probabilities=[0.5, 0.25])
    worst, other = sentence_errors([system("a", [right, one, three])])
    assert (worst["index"], worst["num_errors"], other["index"], other["document_id"]) == (2, 3, 1, "d")
    assert worst["gold"] == [{"start": 0, "end": 1, "label": "A"}, {"start": 2, "end": 4, "label": "B"}]
    (run,) = worst["systems"][0]["runs"]
    assert run["predicted"][1] == {"start": 2, "end": 3, "label": "B", "probability": 0.25}
    assert [error["kind"] for error in run["errors"]] == ["missed", "wrong boundary", "spurious"]
    assert run["errors"][2] == {"kind": "spurious", "gold": None, "predicted": {"start": 5, "end": 6, "label": "C"}}


def test_systems_and_runs():
    right, wrong = evaluated("0-1 A", "0-1 A"), evaluated("0-1 A", "0-1 B")
    (sentence,) = sentence_errors([system("a", [right, right], [right, wrong]), system("b", [right, wrong])])
    assert (sentence["index"], sentence["num_errors"]) == (1, 1.5)
    assert [(each["name"], each["num_errors"], len(each["runs"])) for each in sentence["systems"]] == [
        ("a", 0.5, 2),
        ("b", 1.0, 1),
    ]


def test_no_error():
    assert sentence_errors([system("a", [evaluated("0-1 A", "0-1 A")])]) == []

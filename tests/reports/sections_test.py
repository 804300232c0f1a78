import pytest
from helpers.evaluated import entities, evaluated, system

from nerzoo.evaluation.label_errors import LabelError
from nerzoo.formats.jsonl import Prediction
from nerzoo.reports.report import build_report
from nerzoo.reports.sections import difference_section, error_section, label_error_section, report_sections
from nerzoo.text.annotation import Entity

GOLD = "0-2 A, 4-5 B"
RIGHT, WRONG = evaluated(GOLD, GOLD, probabilities=[0.9, 0.6]), evaluated(GOLD, "0-2 A", probabilities=[0.4])


def shown(report, num_sentences=10):
    return {section.id: section for section in report_sections(report, num_sentences)}


def cells(table):
    """The rows, with the names of columns."""
    return [dict(zip([column.title for column in table.columns], row, strict=True)) for row in table.rows]


def test_one_system():
    sections = shown(build_report([system("a", [RIGHT, WRONG])]))
    assert list(sections) == ["scores", "sentences", "types", "errors", "groups", "calibration"]
    assert sections["scores"].paragraphs == ["4 entities in 2 sentences, 20 words."]
    strict = cells(sections["scores"].tables[0])[0]
    assert (strict["system"], strict["counted"], strict["precision"], strict["recall"]) == ("a", "strict", 1.0, 0.75)
    low, high = strict["95 % interval of F1"]
    assert low == pytest.approx(2 / 3) and high == 1.0
    assert [row["F1"] for row in cells(sections["types"].tables[0])] == [1.0, pytest.approx(2 / 3)]
    _, by_type, confusion = sections["errors"].tables
    assert cells(by_type)[1]["missed"] == 1
    assert confusion.rows == [["A", 2, 0, 0], ["B", 0, 1, 1], ["spurious", 0, 0, 0]]
    length, _ = sections["groups"].tables
    # Of three words there is none.
    assert [row[0] for row in length.rows] == ["1", "2"]
    assert [row[:3] for row in sections["calibration"].tables[0].rows] == [
        ["a", "all", 3],
        ["a", "A", 2],
        ["a", "B", 1],
    ]
    assert len(sections["calibration"].charts) == 3


def test_two_systems_with_runs():
    bare = evaluated(GOLD, "4-5 C")
    report = build_report([system("a", [RIGHT, WRONG], [RIGHT, RIGHT]), system("b", [bare, RIGHT])], num_resamples=9)
    sections = shown(report)
    assert list(sections) == [
        *("scores", "sentences", "differing-1", "comparison-1", "types", "errors", "groups", "calibration")
    ]
    assert sections["scores"].paragraphs[1].startswith("a: means over 2 runs, whose F1 has the standard deviation 10.1")
    differences = cells(sections["comparison-1"].tables[0])
    assert [row["score"] for row in differences][:4] == [
        "precision, strict",
        "recall, strict",
        "F1, strict",
        "F1, boundary",
    ]
    assert differences[2]["difference"] == pytest.approx(differences[2]["a"] - differences[2]["b"])
    assert "a: recall" in cells(sections["types"].tables[0])[0]
    # b has no probabilities.
    assert {row[0] for row in sections["calibration"].tables[0].rows} == {"a"}


def test_what_a_report_is_of():
    report = build_report([system("a", [RIGHT, WRONG])])
    files = [{"kind": "gold entities", "path": "gold.txt", "sha256": "ab12"}]
    report["origin"] = {"version": "0.1", "date": "2026-11-25", "command": "nerzoo report a.jsonl", "files": files}
    first, *_ = report_sections(report, 10)
    assert first.paragraphs == ["Written by nerzoo 0.1 at 2026-11-25.", "Command: nerzoo report a.jsonl"]
    assert first.tables[0].rows == [["gold entities", "gold.txt", "ab12"]]
    report["origin"]["command"] = None
    assert len(shown(report)["origin"].paragraphs) == 1


def test_an_interval_without_zero_beside_a_difference_that_is_not_significant():
    report = build_report([system("a", [RIGHT, WRONG]), system("b", [WRONG, RIGHT])], num_resamples=9)
    rows = report["comparisons"][0]["rows"]
    for row, values in zip(rows, [(0.5, None), (0.01, 0.06), (0.01, None)], strict=False):
        p_value, corrected = values
        row |= {"p_value": p_value, "corrected_p_value": corrected, "is_significant": (corrected or p_value) < 0.05}
    table = shown(report)["comparison-1"].tables[0]
    verdicts = [row["verdict"] for row in cells(table)][:3]
    assert verdicts == ["not significant", "not significant after Holm's correction", "significant"]
    assert "An interval may be without 0 although the difference is not significant" in table.note


def test_no_entity():
    sections = shown(build_report([system("a", [evaluated("", "")])]))
    assert list(sections) == ["scores", "sentences"]


def test_training_data():
    training = [Prediction("folder/train:1", list("abcdefghij"), gold=entities("0-2 A"))]
    sections = shown(build_report([system("a", [RIGHT, WRONG])], training), num_sentences=1)
    assert sections["training"].paragraphs[1].startswith("0.0 % of the words of the text")
    (table,) = sections["training"].tables
    assert table.rows == [["file:1", "a b c d e f g h i j", "train:1", 1.0, 2]]
    assert table.note == "Here are the first 1 of 2; report.json has all."
    other = [Prediction("train:1", ["other"], gold=[])]
    section = shown(build_report([system("a", [RIGHT, WRONG])], other))["training"]
    assert section.tables == [] and section.paragraphs[1].startswith("100.0 % of the words")


WORDS = ["Mara", "left", "Port", "Ansel"]
ALL_RIGHT = evaluated("0-1 PER, 2-4 LOC", "0-1 PER, 2-4 LOC", words=WORDS)
ONE = evaluated("0-1 PER, 2-4 LOC", "0-1 PER, 2-3 LOC", words=WORDS)
TWO = evaluated("0-1 PER, 2-4 LOC", "2-4 PER", words=WORDS)


def test_gold_and_predicted_side_by_side():
    report = build_report([system("a", [ALL_RIGHT, ONE, TWO])])
    section = error_section(report, 10)
    assert section.paragraphs == ["2 of 3 sentences have errors."]
    (table,) = section.tables
    assert [column.title for column in table.columns] == ["sentence", "errors", "gold", "a"]
    first, second = table.rows
    assert first[:2] == ["file:1", 2]
    ((gold,), (predicted,)) = first[2:]
    assert [(segment.kind, segment.text) for segment in gold.segments][:4] == [
        ("open", "PER"),
        ("words", "Mara"),
        ("close", "PER"),
        ("words", "left"),
    ]
    assert predicted.remarks == ("missed: PER Mara", "wrong type: LOC Port Ansel → PER Port Ansel")
    assert second[3][0].remarks == ("wrong boundary: LOC Port Ansel → LOC Port",)
    assert [segment.is_wrong for segment in second[3][0].segments if segment.kind == "open"] == [False, True]
    assert (gold.times, predicted.times) == ("", "")


def test_only_the_worst():
    section = error_section(build_report([system("a", [ONE, TWO, ONE])]), 1)
    assert section.paragraphs[1] == "Here are the first 1 of 3; report.json has all."
    assert [row[1] for row in section.tables[0].rows] == [2]


def test_runs_that_predict_the_same_are_shown_once():
    section = error_section(build_report([system("a", [ONE], [TWO], [ONE])]), 10)
    texts = section.tables[0].rows[0][3]
    assert [(text.times, len(text.remarks)) for text in texts] == [("2 of 3 runs", 1), ("1 of 3 runs", 2)]


def test_nothing_is_wrong():
    section = error_section(build_report([system("a", [ALL_RIGHT])]), 10)
    assert (section.tables, section.paragraphs) == ((), ["All entities of all sentences are right."])


def test_sentences_on_which_systems_differ():
    report = build_report(
        [system("a", [ALL_RIGHT, ONE, TWO, TWO]), system("b", [ONE, ALL_RIGHT, TWO, ALL_RIGHT])], num_resamples=9
    )
    section = difference_section(report, report["comparisons"][0], 10)
    assert section.title == "Sentences on which a and b differ"
    assert section.paragraphs == ["3 sentences: a has more errors in 2 of them, b in 1."]
    assert [row[1] for row in section.tables[0].rows] == [2, 1, 1]
    same = build_report([system("a", [ONE, ONE]), system("b", [ONE, ONE])], num_resamples=9)
    section = difference_section(same, same["comparisons"][0], 10)
    assert section.tables == [] and section.paragraphs[0].startswith("0 sentences")


def test_annotation_that_is_least_believed():
    city, person = Entity(2, 4, "LOC"), Entity(0, 1, "PER")
    errors = [
        LabelError(1, "folder/a.jsonl:2", None, WORDS, "boundary", city, [Entity(2, 3, "LOC")], 0.125, [0.75]),
        LabelError(0, "folder/a.jsonl:1", None, WORDS, "missing", None, [person], 0.25, [0.75]),
    ]
    report = build_report([system("a", [ALL_RIGHT, ONE])], label_errors=errors)
    section = label_error_section(report, 10)
    assert "the first run of a differ" in section.paragraphs[0]
    first, second = section.tables[0].rows
    assert first[:3] == ["a.jsonl:2", "boundary", 0.125]
    assert [[segment.text for segment in texts[0].segments] for texts in first[3:]] == [
        ["Mara left", "LOC", "Port Ansel", "LOC"],
        ["Mara left", "LOC", "Port", "LOC", "Ansel"],
    ]
    assert [segment.text for segment in second[3][0].segments] == ["Mara left Port Ansel"]
    assert label_error_section(report, 1).paragraphs[1] == "Here are the first 1 of 2; report.json has all."

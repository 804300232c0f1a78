import pytest
from helpers.evaluated import entities, evaluated, system

from nerzoo.formats.predictions import Prediction
from nerzoo.reports.report import build_report
from nerzoo.reports.sections import report_sections

GOLD = "0-2 A, 4-5 B"
RIGHT, WRONG = evaluated(GOLD, GOLD, probabilities=[0.9, 0.6]), evaluated(GOLD, "0-2 A", probabilities=[0.4])


def shown(report, num_sentences=10):
    return {section.id: section for section in report_sections(report, num_sentences)}


def cells(table):
    """The rows, with the names of columns."""
    return [dict(zip([column.title for column in table.columns], row, strict=True)) for row in table.rows]


def test_one_system():
    sections = shown(build_report([system("a", [RIGHT, WRONG])]))
    assert list(sections) == ["scores", "types", "errors", "groups", "calibration", "sentences"]
    assert sections["scores"].paragraphs == ["4 entities in 2 sentences, 20 words."]
    strict = cells(sections["scores"].tables[0])[0]
    assert (strict["system"], strict["counted"], strict["precision"], strict["recall"]) == ("a", "strict", 1.0, 0.75)
    assert [row["F1"] for row in cells(sections["types"].tables[0])] == [1.0, pytest.approx(2 / 3)]
    assert sections["types"].charts[0].series == {"a": [1.0, pytest.approx(2 / 3)]}
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
        *("scores", "comparison-1", "types", "errors", "groups", "calibration", "sentences", "differing-1")
    ]
    assert (
        sections["scores"].paragraphs[1].startswith("a: means over 2 runs, whose F1 has the standard deviation 10.10")
    )
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

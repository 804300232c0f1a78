from helpers.evaluated import evaluated, system

from nerzoo.evaluation.label_errors import LabelError
from nerzoo.reports.report import build_report
from nerzoo.reports.sections import difference_section, error_section, label_error_section
from nerzoo.text.annotation import Entity

WORDS = ["Mara", "left", "Port", "Ansel"]
RIGHT = evaluated("0-1 PER, 2-4 LOC", "0-1 PER, 2-4 LOC", words=WORDS)
ONE = evaluated("0-1 PER, 2-4 LOC", "0-1 PER, 2-3 LOC", words=WORDS)
TWO = evaluated("0-1 PER, 2-4 LOC", "2-4 PER", words=WORDS)


def test_gold_and_predicted_side_by_side():
    report = build_report([system("a", [RIGHT, ONE, TWO])])
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
    section = error_section(build_report([system("a", [RIGHT])]), 10)
    assert (section.tables, section.paragraphs) == ((), ["All entities of all sentences are right."])


def test_sentences_on_which_systems_differ():
    report = build_report([system("a", [RIGHT, ONE, TWO, TWO]), system("b", [ONE, RIGHT, TWO, RIGHT])], num_resamples=9)
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
    report = build_report([system("a", [RIGHT, ONE])], label_errors=errors)
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

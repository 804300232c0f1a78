import numpy
import pytest
from allennlp.common.checks import ConfigurationError
from helpers.evaluated import entities, evaluated, system
from helpers.two_systems import FIRST, GOLD, SECOND, WORDS, predictions, write, write_systems

from nerzoo.evaluation.gold import read_gold
from nerzoo.evaluation.significance import compare, holm, paired_significance
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.reports.systems import compare_systems, f1_interval, read_systems, scheme_counts


@pytest.fixture
def files(tmp_path):
    return write_systems(tmp_path)


def test_what_predict_writes(files):
    first, second = read_systems([[files[0]], [files[1]]])
    assert (first.name, second.name, second.files) == ("a", "b", [files[1]])
    (run,) = second.runs
    assert [sentence.words for sentence in run] == WORDS
    assert list(run[0].gold) == entities("2-4 city") and list(run[0].predicted) == entities("2-3 city")
    assert list(run[0].probabilities) == [0.9]
    assert [(sentence.document_id, sentence.position) for sentence in run] == [("d", 1), ("d", 2), ("d", 3)]
    assert run[2].location == f"{files[1]}:3"


def test_runs_and_names(files, tmp_path):
    ungilded = write(tmp_path / "c.jsonl", predictions(SECOND, without=("gold_tags", "doc_id")))
    first, second = read_systems([[files[0], files[1]], [ungilded]], ["one", "two"])
    assert (first.name, len(first.runs), second.name) == ("one", 2, "two")
    # Another file has gold entities and documents.
    assert list(second.runs[0][0].gold) == entities("2-4 city")
    assert second.runs[0][1].position == 2


def test_files_of_the_same_name_in_two_folders(tmp_path):
    for name in "xy":
        (tmp_path / name).mkdir()
    paths = [write_systems(tmp_path / name)[0] for name in "xy"]
    assert [system.name for system in read_systems([[path] for path in paths])] == paths


def test_columns(tmp_path, files):
    path = tmp_path / "other.conll"
    rows = [zip(words, gold, tags, strict=True) for words, gold, tags in zip(WORDS, GOLD, SECOND, strict=True)]
    path.write_text("\n".join("".join(" ".join(row) + "\n" for row in sentence) for sentence in rows))
    gold = read_gold(str(path), ColumnsCorpus(tag_column=1))
    (system,) = read_systems([[str(path)]], None, gold, str(path), ColumnsCorpus())
    (expected,) = read_systems([[files[1]]])
    for found, other in zip(system.runs[0], expected.runs[0], strict=True):
        assert (found.gold, found.predicted, found.position) == (other.gold, other.predicted, None)
    with pytest.raises(ConfigurationError, match="other.conll:1: found no gold annotation"):
        read_systems([[str(path)]], corpus=ColumnsCorpus())


ROWS = list(predictions(FIRST))


@pytest.mark.parametrize(
    "lines, message",
    [
        ([], "c.jsonl: found 0 sentences, expected 3 as in .*a.jsonl"),
        (ROWS[:2], "c.jsonl: found 2 sentences, expected 3 as in"),
        ([ROWS[1], ROWS[0], ROWS[2]], "c.jsonl:1: found 'yes', expected 'fly to port ansel' as in"),
        ([{**ROWS[0], "gold_tags": ["O"] * 4}, *ROWS[1:]], "c.jsonl:1: found the gold annotation"),
        ([{"words": ["a"]}], "c.jsonl:1: found no entities"),
        (
            [{**ROWS[0], "entities": [{"start": 0, "end": 1, "label": "A", "probability": 1.5}]}, *ROWS[1:]],
            "c.jsonl:1: found the entity .*1.5.*, expected a start, an end and a label, .*, and perhaps a probability",
        ),
    ],
)
def test_bad_files(files, tmp_path, lines, message):
    path = write(tmp_path / "c.jsonl", lines)
    with pytest.raises(ConfigurationError, match=message):
        read_systems([[files[0]], [path]])


def test_one_bad_file(tmp_path):
    with pytest.raises(ConfigurationError, match="empty.jsonl: found no sentence, expected at least one"):
        read_systems([[write(tmp_path / "empty.jsonl", [])]])
    without_gold = write(tmp_path / "c.jsonl", predictions(FIRST, without=("gold_tags",)))
    with pytest.raises(ConfigurationError, match="c.jsonl:1: found no gold annotation, expected gold_tags.* or --gold"):
        read_systems([[without_gold]])


def test_gold_of_other_sentences(files):
    gold = [sentence for sentence in read_systems([[files[0]]])[0].runs[0]][:2]
    with pytest.raises(ConfigurationError, match="a.jsonl: found 3 sentences, expected 2 as in gold.txt"):
        read_systems([[files[0]]], None, gold, "gold.txt")


@pytest.mark.parametrize(
    "places, names, message",
    [
        ([[0, 0]], None, "found the files .* of a system, expected each of its runs once"),
        ([[]], None, r"found the files \[\] of a system"),
        ([], None, "found the names .* for 0 systems"),
        ([[0], [1]], ["a"], r"found the names \['a'\] for 2 systems, expected a different one for each"),
        ([[0], [1]], ["a", "a"], "expected a different one for each"),
    ],
)
def test_which_files_and_names(files, places, names, message):
    with pytest.raises(ConfigurationError, match=message):
        read_systems([[files[place] for place in of_system] for of_system in places], names)


def rows_of(comparison):
    return {(row["scheme"], row["measure"], row["type"]): row for row in comparison["rows"]}


def test_f1_is_that_of_compare(tmp_path):
    files = write_systems(tmp_path)
    systems = read_systems([[path] for path in files])
    expected = compare(*files, num_resamples=99, seed=3)
    comparison = compare_systems(*systems, ["city", "date", "nights"], num_resamples=99, seed=3)
    assert (comparison["first"], comparison["second"]) == ("a", "b")
    row = rows_of(comparison)["strict", "f1", None]
    assert (row["first"], row["second"]) == (expected["first"]["score"], expected["second"]["score"])
    assert row["difference"] == expected["difference"]["score"]
    assert tuple(row["confidence_interval"]) == tuple(expected["difference"]["confidence_interval"])
    assert row["p_value"] == expected["p_value"]


def test_several_runs_as_compare(tmp_path):
    files = write_systems(tmp_path)
    systems = read_systems([list(files), [files[1]]])
    expected = compare(list(files), [files[1]], num_resamples=49)
    row = rows_of(compare_systems(*systems, [], num_resamples=49))["strict", "f1", None]
    assert row["p_value"] == expected["p_value"]
    assert tuple(row["confidence_interval"]) == tuple(expected["difference"]["confidence_interval"])


def test_the_interval_of_one_system_is_that_of_compare(tmp_path):
    files = write_systems(tmp_path)
    both, second = read_systems([list(files), [files[1]]])
    counts = [numpy.stack([scheme_counts(run) for run in system.runs]) for system in (both, second)]
    # shape: (R, N, 2) each
    ratios = [numpy.stack([2 * each[..., 0], each[..., -2] + each[..., -1]], -1) for each in counts]
    expected = paired_significance(*ratios, num_resamples=49)
    assert f1_interval(both, num_resamples=49) == list(expected.first_interval)
    assert f1_interval(system("one", [evaluated("", "")])) is None


def test_all_scores():
    first = system("a", [evaluated("0-2 A, 4-5 B", "0-2 A, 4-5 C"), evaluated("0-1 B", "0-1 B")])
    second = system("b", [evaluated("0-2 A, 4-5 B", "0-1 A"), evaluated("0-1 B", "0-1 B")])
    comparison = compare_systems(first, second, ["A", "B", "C"], num_resamples=9)
    found = {key: (row["first"], row["second"]) for key, row in rows_of(comparison).items()}
    assert found == {
        ("strict", "precision", None): (pytest.approx(2 / 3), 1 / 2),
        ("strict", "recall", None): (pytest.approx(2 / 3), pytest.approx(1 / 3)),
        ("strict", "f1", None): (pytest.approx(2 / 3), 2 / 5),
        ("boundary", "f1", None): (1.0, 2 / 5),
        ("type", "f1", None): (pytest.approx(2 / 3), 4 / 5),
        ("partial", "f1", None): (1.0, 3 / 5),
        ("strict", "f1", "A"): (1.0, 0.0),
        ("strict", "f1", "B"): (pytest.approx(2 / 3), pytest.approx(2 / 3)),
        ("strict", "f1", "C"): (0.0, 0.0),
    }
    assert comparison["differing"] == [0]
    # One sentence alone has the type A, and one the type C.
    assert rows_of(comparison)["strict", "f1", "A"]["p_value"] is None
    assert rows_of(comparison)["strict", "f1", "A"]["difference"] == 1.0
    assert rows_of(comparison)["strict", "f1", "B"]["p_value"] == 1.0


def test_one_sentence():
    runs = [[evaluated("0-2 A", "0-2 A")], [evaluated("0-2 A", "")]]
    comparison = compare_systems(system("a", *runs), system("b", runs[1]), ["A"])
    for row in comparison["rows"]:
        assert (row["first"], row["second"], row["difference"]) == (0.5, 0.0, 0.5)
        assert row["confidence_interval"] is row["p_value"] is None


def test_types_are_as_many_tests_as_there_are_types():
    both = [("0-2 A, 4-5 B", "0-2 A", "4-5 B"), ("0-1 A, 2-3 B", "0-1 A", ""), ("1-2 A, 2-3 C", "1-2 A, 2-3 C", "")]
    first, second = (
        system(name, [evaluated(row[0], row[column]) for row in both]) for name, column in (("a", 1), ("b", 2))
    )
    rows = rows_of(compare_systems(first, second, ["A", "B", "C"], num_resamples=99))
    p_values = [rows["strict", "f1", label]["p_value"] for label in ("A", "B")]
    assert 0 < p_values[0] < p_values[1]
    # Of C there is one sentence alone, and no test.
    assert [rows["strict", "f1", label]["corrected_p_value"] for label in ("A", "B", "C")] == [*holm(p_values), None]
    assert rows["strict", "f1", None]["corrected_p_value"] is None

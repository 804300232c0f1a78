import pytest
from helpers.evaluated import evaluated, system
from helpers.two_systems import write_systems

from nerzoo.evaluation.comparison import compare
from nerzoo.evaluation.significance import holm
from nerzoo.reports.systems import compare_systems, read_systems


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

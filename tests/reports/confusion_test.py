from helpers.evaluated import evaluated

from nerzoo.reports.scores import errors_and_confusion

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

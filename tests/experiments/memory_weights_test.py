import json
import sys

import pytest

from experiments.memory_weights import main, measure


def slot(position, weight):
    return {"position": position, "weight": weight}


DOCUMENT = [
    {"doc_id": "d", "words": ["Mara", "left"], "gold_tags": ["U-person", "O"], "attention": [[slot(0, 0.9)], []]},
    {
        "doc_id": "d",
        "words": ["Quill", "saw", "Lindow", "mara"],
        "gold_tags": ["U-person", "O", "U-place", "U-person"],
        "attention": [
            [slot(0, 0.5), slot(1, 0.25), slot(None, 0.25)],
            [],
            [slot(0, 1.0)],
            [slot(5, 0.4), slot(0, 0.3), slot(2, 0.2), slot(4, 0.05)],
        ],
    },
]


def test_weights_by_what_is_attended_to():
    sums = measure([*DOCUMENT, {**DOCUMENT[0], "doc_id": "other"}])
    # Two documents have Mara first.
    assert sums["first"] == pytest.approx(
        {
            "number": 4,
            "itself": 1.8,
            "same type": 0.5,
            "other types": 1.0,
            "no mention": 0.25,
            "null memory": 0.25,
            "not shown": 0.2,
        }
    )
    assert sums["repeated"] == pytest.approx(
        {"number": 1, "itself": 0.4, "same word": 0.3, "same type": 0.2, "other types": 0.05, "not shown": 0.05}
    )
    sixth = 1 / 6
    assert sums["repeated, by chance"] == pytest.approx(
        {
            "number": 1,
            "itself": sixth,
            "same word": sixth,
            "same type": sixth,
            "other types": sixth,
            "no mention": 2 * sixth,
        }
    )


def test_table(tmp_path, monkeypatch, capsys):
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(sentence) + "\n" for sentence in DOCUMENT))
    monkeypatch.setattr(sys, "argv", ["memory_weights", str(path)])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert "| repeated | 1 | 0.400 | 0.300 | 0.200 | 0.050 | 0.000 | 0.000 | 0.050 |" in lines
    assert len({line.count("|") for line in lines}) == 1

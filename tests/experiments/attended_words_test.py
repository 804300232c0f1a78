import json
import sys

import pytest

from experiments.attended_words import count, main, table

SENTENCE = {
    "words": ["Mara", "Quill", "met", "the", "president"],
    "gold_tags": ["B-person", "L-person", "O", "O", "O"],
    "pos": ["NNP", "NNP", "VBD", "DT", "NN"],
    "heads": [3, 1, 0, 5, 3],
    "relative_attention": [
        [0.0, 0.1, 0.5, 0.0, 0.4],
        [0.7, 0.0, 0.2, 0.05, 0.05],
        *[[0.25] * 5] * 3,
    ],
}


def test_words_and_parts_of_speech():
    others = {"words": ["Mara"], "gold_tags": ["U-person"], "pos": ["NNP"], "heads": [0], "relative_attention": [[0.0]]}
    adjective = {**SENTENCE, "pos": ["JJ"] * 5}
    (name,), (person,) = zip(*count([SENTENCE, others, adjective]).items(), strict=True)
    assert (name, person.num_nouns) == ("person", 2)
    assert person.words == {"met": 2, "president": 1, "quill": 1, "mara": 1, "the": 1}
    assert person.pos == {"VB": 2, "NN": 3, "DT": 1}
    assert person.words_of_pos["NN"] == {"president": 1, "quill": 1, "mara": 1}
    assert person.chance == pytest.approx({"NN": 1.0, "VB": 0.5, "DT": 0.5})


def test_table(tmp_path, monkeypatch, capsys):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(SENTENCE) + "\n")
    monkeypatch.setattr(sys, "argv", ["attended_words", str(path)])
    main()
    row = capsys.readouterr().out.splitlines()[-1]
    assert row.startswith(
        "| person | 2 | met 2, president 1, quill 1 | NN 50% (50%) president 1, quill 1, mara 1; VB 33% (25%)"
    )
    assert row.endswith("met 2; DT 17% (25%) the 1 |")
    assert "a \\| 1" in table(count([{**SENTENCE, "words": ["Mara", "Quill", "a |", "the", "b"]}])).replace("2", "1")

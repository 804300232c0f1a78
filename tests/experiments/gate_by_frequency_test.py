import json
import sys

import pytest
from helpers.paths import FIXTURES

from experiments.gate_by_frequency import correlation, gates, main, table

THE, OTHER_THE, OLD, ZORG = [0.8, 1.0], [0.6, 0.8], [0.6, 0.4], [0.0, 0.2]
SENTENCES = [
    {"words": ["the", "old", "Zorg"], "gate_features": [THE, OLD, ZORG]},
    {"words": ["the"], "gate_features": [OTHER_THE]},
]
FREQUENCIES = {"the": 30, "old": 2}


def test_gates_of_groups():
    groups = gates(SENTENCES, FREQUENCIES, [1, 5])
    assert groups == {"0": [ZORG], "1-4": [OLD], "5-": [THE, OTHER_THE]}
    assert table({"none": [], **groups}).splitlines()[2:] == [
        "| none | 0 | – | – |",
        "| 0 | 1 | 0.100 ± 0.000 | 1.00 |",
        "| 1-4 | 1 | 0.500 ± 0.000 | -1.00 |",
        "| 5- | 2 | 0.800 ± 0.100 | 1.00 |",
    ]


@pytest.mark.parametrize("vectors, name", [({"zorg"}, "0"), ({"the"}, "0, no vector")])
def test_unseen_words_without_a_vector(vectors, name):
    groups = gates(SENTENCES, FREQUENCIES, [1, 5], vectors)
    assert list(groups) == ["0, no vector", "0", "1-4", "5-"]
    assert groups[name] == [ZORG]
    assert groups["1-4"] == [OLD]


def test_rank_correlation():
    assert correlation(SENTENCES[:1], FREQUENCIES) == pytest.approx(1)
    turned = [{"words": ["the", "old", "Zorg"], "gate_features": [ZORG, OLD, THE]}]
    assert correlation(turned, FREQUENCIES) == pytest.approx(-1)


def test_of_a_run(tmp_path, monkeypatch, capsys):
    reader = {"type": "tagged_sentences", "corpus": {"type": "conllu"}}
    train = str(FIXTURES / "people_and_places/train.conllu")
    (tmp_path / "config.json").write_text(json.dumps({"dataset_reader": reader, "train_data_path": train}))
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(sentence) + "\n" for sentence in SENTENCES))
    (tmp_path / "vectors.txt").write_text("the 0.1 0.2\nof 0.3 0.4\n")
    args = ["gate_by_frequency", "config.json", "p.jsonl", "--vectors", "vectors.txt", "--bounds", "1", "100"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", args)
    main()
    out = capsys.readouterr().out
    assert "| 0, no vector | 1 | 0.100 ± 0.000 | 1.00 |" in out
    assert "| 100- | 2 | 0.800 ± 0.100 | 1.00 |" in out
    assert "rank correlation of gate and frequency: " in out

import json
import sys

import pytest
from helpers.paths import FIXTURES

from experiments.gate_by_frequency import correlation, gates, main, table

SENTENCES = [{"words": ["the", "old", "Lindow"], "gate": [0.9, 0.5, 0.1]}, {"words": ["the"], "gate": [0.7]}]
FREQUENCIES = {"the": 30, "old": 2}


def test_gates_of_groups():
    groups = gates(SENTENCES, FREQUENCIES, [1, 5])
    assert groups == {"0": [0.1], "1-4": [0.5], "5-": [0.9, 0.7]}
    assert table({**groups, "none": []}).splitlines()[2:] == [
        "| 0 | 1 | 0.100 ± 0.000 |",
        "| 1-4 | 1 | 0.500 ± 0.000 |",
        "| 5- | 2 | 0.800 ± 0.100 |",
        "| none | 0 | – |",
    ]


def test_rank_correlation():
    sentences = [{"words": ["the", "old", "Lindow"], "gate": [0.9, 0.5, 0.1]}]
    assert correlation(sentences, FREQUENCIES) == pytest.approx(1)
    assert correlation([{"words": ["the", "old", "Lindow"], "gate": [0.1, 0.2, 0.3]}], FREQUENCIES) == pytest.approx(-1)


def test_of_a_run(tmp_path, monkeypatch, capsys):
    reader = {"type": "tagged_sentences", "corpus": {"type": "conllu"}}
    train = str(FIXTURES / "people_and_places/train.conllu")
    (tmp_path / "config.json").write_text(json.dumps({"dataset_reader": reader, "train_data_path": train}))
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(sentence) + "\n" for sentence in SENTENCES))
    monkeypatch.setattr(sys, "argv", ["gate_by_frequency", str(tmp_path / "config.json"), str(tmp_path / "p.jsonl")])
    main()
    out = capsys.readouterr().out
    assert "| 100- | 2 | 0.800 ± 0.100 |" in out
    assert "rank correlation of gate and frequency: " in out

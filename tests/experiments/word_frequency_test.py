import json
import sys

from experiments.unseen_words import count_groups
from experiments.word_frequency import main
from nerzoo.reports.groupings import by_frequency, group_names
from nerzoo.text.matching import MatchCounts

FREQUENCIES = {"in": 9, "York": 4, "New": 5, "Mara": 1}
SENTENCES = [
    # New York: its rarest word is there four times; found. Lindow: not in training; missed. Mara: once, an invention.
    {
        "words": ["New", "York", "in", "Lindow", "Mara"],
        "gold_tags": ["B-LOC", "I-LOC", "O", "B-LOC", "O"],
        "tags": ["B-LOC", "I-LOC", "O", "O", "B-PER"],
    }
]


def test_the_rarest_word_of_an_entity_counts():
    bounds = [1, 2, 5]
    counts = count_groups(SENTENCES, by_frequency(FREQUENCIES, bounds), group_names(bounds), are_entities=True)
    assert counts == {
        "0": MatchCounts(0, 0, 1, 0),
        "1": MatchCounts(0, 1, 0, 0),
        "2-4": MatchCounts(1, 1, 1, 1),
        "5-": MatchCounts(),
        "all": MatchCounts(1, 2, 2, 1),
    }


def test_frequencies_of_the_training_file(tmp_path, monkeypatch, capsys):
    train = tmp_path / "train.tsv"
    train.write_text("in\tc\nin\tc\n\nin\ti\nMara\tc\n")
    config = {
        "dataset_reader": {"type": "tagged_sentences", "corpus": {"type": "columns", "coding_scheme": None}},
        "train_data_path": str(train),
        "model": {"type": "sequence_tagger", "head": {}},
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    sentence = {"words": ["in", "Mara", "Lindow"], "gold_tags": ["c", "c", "i"], "tags": ["c", "i", "i"]}
    (tmp_path / "predictions.jsonl").write_text(json.dumps(sentence) + "\n")
    files = [str(tmp_path / "config.json"), str(tmp_path / "predictions.jsonl")]
    monkeypatch.setattr(sys, "argv", ["word_frequency", *files, "--bounds", "1", "3"])
    main()
    header, *lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert header == ["words", "gold", "precision", "recall", "f1"]
    assert [line[:3] for line in lines] == [
        ["0", "1", "1.0000"],
        ["1-2", "1", "0.0000"],
        ["3-", "1", "1.0000"],
        ["all", "3", "0.6667"],
    ]

import json
import sys

import pytest

from experiments.unseen_words import GROUPS, by_training, count_groups, main
from nerzoo.text.matching import MatchCounts, precision_recall_f

KNOWN = {"Mara", "met", "in", "York"}


def sentence(text, gold, predicted):
    return {"words": text.split(), "gold_tags": gold.split(), "tags": predicted.split()}


NAMES = [
    # Mara: seen, found. New York: one of its words is unseen; found as another type.
    sentence("Mara met New York", "B-PER O B-ORG I-ORG", "B-PER O B-LOC I-LOC"),
    # York: seen, missed. "Lindow": unseen, found; mara is not the word that training had.
    sentence("in York Lindow mara", "O B-LOC B-LOC O", "O O B-LOC B-PER"),
]
ERRORS = [sentence("Mara mett in Lindow", "c i i c", "c i c i")]


def test_counts_of_entities():
    assert count_groups(NAMES, by_training(KNOWN), GROUPS, are_entities=True) == {
        "seen": MatchCounts(1, 1, 2, 1),
        "unseen": MatchCounts(1, 3, 2, 1),
        "all": MatchCounts(2, 4, 4, 2),
    }


def test_counts_of_the_main_label():
    counts = count_groups(ERRORS, by_training(KNOWN), GROUPS, positive_label="i")
    assert counts == {
        "seen": MatchCounts(0, 0, 1, 0),
        "unseen": MatchCounts(1, 2, 1, 1),
        "all": MatchCounts(1, 2, 2, 1),
    }
    f05 = precision_recall_f(**vars(counts["unseen"]), beta=0.5)["f0.5"]
    assert f05 == pytest.approx(1.25 * 0.5 * 1 / (0.25 * 0.5 + 1))


def test_counts_of_all_tags_are_the_accuracy():
    counts = count_groups(ERRORS, by_training(KNOWN), GROUPS)
    for name, accuracy in (("seen", 1 / 2), ("unseen", 1 / 2), ("all", 1 / 2)):
        assert set(counts[name].scores().values()) == {accuracy}


def test_reads_the_training_file_and_the_task_from_the_configuration(tmp_path, monkeypatch, capsys):
    train = tmp_path / "train.tsv"
    train.write_text("Mara\tc\nmet\tc\n\nin\ti\n")
    corpus = {"type": "columns", "coding_scheme": None}
    config = {
        "dataset_reader": {"type": "tagged_sentences", "corpus": corpus},
        "train_data_path": str(train),
        "model": {"type": "sequence_tagger", "head": {"positive_label": "i"}},
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "predictions.jsonl").write_text("".join(json.dumps(prediction) + "\n" for prediction in ERRORS))
    monkeypatch.setattr(
        sys, "argv", ["unseen_words", str(tmp_path / "config.json"), str(tmp_path / "predictions.jsonl")]
    )
    main()
    header, *lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert header == ["words", "gold", "precision", "recall", "f0.5"]
    assert [line[:2] for line in lines] == [["seen", "1"], ["unseen", "1"], ["all", "2"]]
    assert lines[1][2:] == ["0.5000", "1.0000", "0.5556"]

import json
import sys

import pytest
from allennlp.common.checks import ConfigurationError

from experiments.names_by_label import arc_label, count_labels, frequent_labels, main
from nerzoo.text.annotation import Entity, Sentence, entities_to_tags
from nerzoo.text.matching import MatchCounts

# Holt is the head of Mara; "of" depends on Lindow.
TREE = Sentence(
    ["Mara", "Holt", "left", "the", "town", "of", "Lindow"],
    heads=[2, 3, 0, 5, 3, 7, 5],
    dep_labels=["flat:name", "nsubj", "root", "det", "obj", "case", "nmod:of"],
    entities=[Entity(0, 2, "PER"), Entity(6, 7, "LOC")],
)


def prediction(*entities):
    tags = entities_to_tags(TREE.entities, len(TREE.words), "BIO")
    return {"words": TREE.words, "gold_tags": tags, "entities": [entity._asdict() for entity in entities]}


def test_the_first_word_with_a_head_outside_labels_a_name():
    assert [arc_label(TREE, entity) for entity in TREE.entities] == ["nsubj", "nmod"]
    # Two arcs lead into a span that is no subtree.
    assert arc_label(TREE, Entity(1, 4, "PER")) == "root"
    assert arc_label(TREE, Entity(5, 7, "LOC")) == "nmod"


def test_scores_by_label():
    trees = [TREE] * 20
    assert frequent_labels(trees) == ["nsubj", "nmod"] and frequent_labels(trees[1:]) == []
    # The place is found once, and once with a word too many; "town" is found only here.
    found = [prediction(TREE.entities[0], TREE.entities[1]), prediction(Entity(5, 7, "LOC"), Entity(4, 5, "LOC"))]
    assert count_labels([TREE] * 2, found, ["nsubj", "nmod"]) == {
        "nsubj": MatchCounts(1, 1, 2, 1),
        "nmod": MatchCounts(1, 2, 2, 1),
        "other": MatchCounts(0, 1, 0, 0),
        "all": MatchCounts(2, 4, 4, 2),
    }
    with pytest.raises(
        ConfigurationError, match="found predictions for 2 sentences, expected some for the 3 sentences"
    ):
        count_labels([TREE] * 3, found, [])


def test_the_program_reads_a_treebank(tmp_path, monkeypatch, capsys):
    lines = [
        f"{i}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\tNER={tag}"
        for i, (word, head, label, tag) in enumerate(
            zip(TREE.words, TREE.heads, TREE.dep_labels, prediction()["gold_tags"], strict=True), 1
        )
    ]
    (tmp_path / "trees.conllu").write_text("\n".join([*lines, "", ""]) * 20)
    (tmp_path / "one.jsonl").write_text(f"{json.dumps(prediction(TREE.entities[0]))}\n" * 20)
    monkeypatch.setattr(sys, "argv", ["names_by_label", str(tmp_path / "trees.conllu"), str(tmp_path / "one.jsonl")])
    main()
    shown = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()[1:]}
    assert shown["nsubj"] == ["20", "1.0000", "1.0000", "1.0000"] and shown["nmod"][-1] == "0.0000"

import json
import sys

import pytest

from experiments.attended_distances import main, measure, steps_in_tree

SENTENCE = {
    "words": [*"abcd"],
    "gold_tags": ["U-x", "O", "O", "O"],
    "pos": ["NN"] * 4,
    "heads": [4, 1, 0, 3],
    "relative_attention": [[0.0, 0.2, 0.1, 0.7], *[[0.25] * 4] * 3],
}


def test_steps_in_a_tree():
    assert steps_in_tree([4, 1, 0, 3], 0) == [0, 1, 2, 1]
    assert steps_in_tree([2, 0, 0], 0) == [0, 1, None]


def test_distances_and_weights():
    kinds = measure([SENTENCE])
    sequence, tree = kinds["sequence"], kinds["tree"]
    assert (sequence.num_words, tree.num_words) == (1, 1)
    assert (sequence.most_attended, tree.most_attended) == (3, 1)
    assert (sequence.most_attended_chance, tree.most_attended_chance) == pytest.approx((2, 4 / 3))
    assert sequence.weights == pytest.approx({1: 0.2, 2: 0.1, 3: 0.7})
    assert tree.weights == pytest.approx({1: 0.9, 2: 0.1})
    assert tree.chance == pytest.approx({1: 2 / 3, 2: 1 / 3})


def test_far_words_are_together_and_words_of_other_trees_are_left_out():
    length = 12
    far = {
        "words": [*"abcdefghijkl"],
        "gold_tags": ["U-x", *["O"] * (length - 1)],
        "heads": [0, 0, *[1] * (length - 2)],
        "relative_attention": [[0.0, 0.5, *[0.05] * (length - 2)]] * length,
    }
    kinds = measure([far, {**SENTENCE, "words": ["a"], "gold_tags": ["U-x"]}])
    assert kinds["sequence"].weights[8] == pytest.approx(4 * 0.05)
    # What it attends to most is in the other tree.
    assert (kinds["tree"].num_words, kinds["tree"].num_without_path) == (0, 1)


def test_report(tmp_path, monkeypatch, capsys):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(SENTENCE) + "\n")
    monkeypatch.setattr(sys, "argv", ["attended_distances", str(path)])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == ["| sequence | 1 | 3.00 | 2.00 | 1.50 |", "| tree | 1 | 1.00 | 1.33 | 0.75 |"]
    assert "| 1 | 0.200 | 0.333 | 0.900 | 0.667 |" in lines
    assert lines[-1] == "0 pairs without a path"

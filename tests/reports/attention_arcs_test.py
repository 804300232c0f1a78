import pytest
from helpers.drawings import SENTENCE, WEIGHTS, WORDS, prediction, shades, texts

from nerzoo.reports.attention_drawings import attention_arcs


def test_arcs_are_those_of_entities_as_dark_as_their_weights(tmp_path):
    picture = attention_arcs(prediction(tmp_path / "p.jsonl", relative_attention=WEIGHTS))
    arcs = {title: dark for title, dark in shades(picture.elements).items() if dark is not None}
    weights = {f"{WORDS[i]} → {WORDS[j]}": WEIGHTS[i][j] for i in (0, 3) for j in range(4) if i != j}
    assert arcs == {f"{title}: {weight:.3f}": weight / 0.5 for title, weight in weights.items()}
    # The darkest one is drawn last.
    assert list(arcs)[-1] == "Mara → <b>&: 0.500"
    assert "Mara to <b>& 0.50" in picture.description


def test_the_tree_is_below(tmp_path):
    picture = attention_arcs(prediction(tmp_path / "p.jsonl", relative_attention=WEIGHTS))
    tree = {title for title, dark in shades(picture.elements).items() if dark is None}
    assert tree == {"<b>& → Mara: nsubj", "root: <b>&", "Lindow → in: case", "<b>& → Lindow: obl"}
    assert texts(picture.elements) == [*WORDS, *SENTENCE["pos"], "U-person", "U-place", "nsubj", "case", "obl"]


def test_without_entities_syntax_or_tags(tmp_path):
    values = {"words": WORDS, "relative_attention": WEIGHTS, "heads": SENTENCE["heads"]}
    picture = attention_arcs(prediction(tmp_path / "p.jsonl", values))
    assert len([dark for dark in shades(picture.elements).values() if dark]) == 11
    assert "<b>& → Mara" in shades(picture.elements)
    assert picture.title == "Attention of words; largest 0.80"
    del values["heads"]
    without_tree = attention_arcs(prediction(tmp_path / "p.jsonl", values))
    assert without_tree.height < picture.height
    assert texts(without_tree.elements) == WORDS


def test_a_null_memory_and_a_word_itself_have_no_arcs(tmp_path):
    values = {"words": ["a", "b"], "relative_attention": [[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]]}
    picture = attention_arcs(prediction(tmp_path / "p.jsonl", values))
    assert shades(picture.elements) == {"b → a: 0.300": pytest.approx(1.0)}


def test_a_word_alone(tmp_path):
    picture = attention_arcs(prediction(tmp_path / "p.jsonl", {"words": ["a"], "relative_attention": [[0.0]]}))
    assert texts(picture.elements) == ["a"]

import pytest
from helpers.drawings import SENTENCE, WEIGHTS, WORDS, prediction, shades, texts

from nerzoo.reports.attention_drawings import attention_arcs, gate, gate_features, global_attention, relative_attention


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
    assert texts(picture.elements) == [*WORDS, *SENTENCE["pos"], "U-person", "U-place", "nsubj", "root", "case", "obl"]


def test_without_entities_syntax_or_tags(tmp_path):
    values = {"words": WORDS, "relative_attention": WEIGHTS, "heads": SENTENCE["heads"]}
    picture = attention_arcs(prediction(tmp_path / "p.jsonl", values))
    assert len([dark for dark in shades(picture.elements).values() if dark]) == 11
    assert "<b>& → Mara" in shades(picture.elements)
    assert "root" in texts(picture.elements)
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


def test_a_matrix_of_words(tmp_path):
    picture = relative_attention(prediction(tmp_path / "p.jsonl", relative_attention=WEIGHTS))
    weights = {(i, j): WEIGHTS[i][j] for i in range(4) for j in range(4) if WEIGHTS[i][j]}
    expected = {f"{WORDS[i]} → {WORDS[j]}: {weight:.3f}": weight / 0.8 for (i, j), weight in weights.items()}
    assert shades(picture.elements) == pytest.approx(expected)
    assert picture.title == "Attention, row to column; largest 0.80"
    assert "The largest is 0.80, of in to Lindow." in picture.description


def test_the_null_memory_has_a_column(tmp_path):
    values = {"words": ["a", "b"], "attention": [[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]]}
    picture = relative_attention(prediction(tmp_path / "p.jsonl", values))
    assert shades(picture.elements)["a → ∅: 0.900"] == 1.0
    assert shades(picture.elements)["b → b: 0.500"] == pytest.approx(0.5 / 0.9, abs=1e-4)


def test_shades_are_weights_and_tags_stand_below(tmp_path):
    weights = [0.1, 0.4, 0.3, 0.2]
    picture = global_attention(prediction(tmp_path / "p.jsonl", global_attention=weights))
    darkness = list(shades(picture.elements).values())
    assert darkness == pytest.approx([0.6 * weight / 0.4 for weight in weights])
    # A gold tag, and the predicted ones.
    assert texts(picture.elements) == [
        *("Mara", "0.10", "U-person", "U-person"),
        *("<b>&", "0.40", "in", "0.30"),
        *("Lindow", "0.20", "U-place"),
    ]
    assert "most: <b>& 0.40, in 0.30, Lindow 0.20" in picture.description


def test_of_an_encoder_that_is_the_attention(tmp_path):
    picture = global_attention(prediction(tmp_path / "p.jsonl", {"words": WORDS, "attention": [0.0, 0.0, 0.0, 1.0]}))
    assert list(shades(picture.elements).values()) == pytest.approx([0, 0, 0, 0.6])


def test_words_by_their_gate(tmp_path):
    picture = gate(prediction(tmp_path / "p.jsonl", {"words": ["the", "Lindow"], "gate": [0.75, 0.25]}))
    assert shades(picture.elements) == pytest.approx({"the: gate 0.750": 0.45, "Lindow: gate 0.250": 0.15})
    assert texts(picture.elements) == ["the", "0.75", "Lindow", "0.25"]
    assert "from 0.25 of Lindow, whose characters count most, to 0.75 of the" in picture.description


def test_features_in_the_order_of_their_means(tmp_path):
    values = {"words": ["the", "Lindow"], "gate_features": [[0.5, 0.9, 0.1], [0.1, 0.8, 0.6]]}
    picture = gate_features(prediction(tmp_path / "p.jsonl", values))
    cells = [each for each in picture.elements if each.get("fill-opacity")]
    assert [float(cell.get("fill-opacity")) for cell in cells] == [0.9, 0.1, 0.5, 0.8, 0.6, 0.1]
    assert [float(cell.get("x")) for cell in cells[:3]] == sorted(float(cell.get("x")) for cell in cells[:3])
    assert "one of 3 features, by the mean of its gate, from 0.85 to 0.30" in picture.description

import pytest
from helpers.drawings import WEIGHTS, WORDS, prediction, shades

from nerzoo.reports.attention_drawings import relative_attention


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

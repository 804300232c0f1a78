import pytest
from helpers.drawings import prediction, shades, texts

from nerzoo.reports.attention_drawings import gate, gate_features


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

import pytest
from helpers.drawings import WORDS, prediction, shades, texts

from nerzoo.reports.attention_drawings import global_attention


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

import copy

import pytest
from helpers.drawings import THREAD, prediction, shades, texts

from nerzoo.reports.memory_drawings import link_attention, links


def test_arcs_are_as_dark_as_links_are_probable(tmp_path):
    picture = links(prediction(tmp_path / "p.jsonl", THREAD))
    assert shades(picture.elements) == {"a → ∅: 1.000": 1.0, "b → a: 0.600": 0.6, "c → a: 0.500": 0.5}
    assert texts(picture.elements) == ["∅", "a  question 0.80", "b  answer 0.70", "c  <thanks> 0.60"]
    assert "a replies to nothing (question); b replies to a (answer)" in picture.description


def test_gold_links(tmp_path):
    thread = copy.deepcopy(THREAD)
    thread["posts"][1]["gold_links"] = [{"to": "a", "act": "answer"}, {"to": None, "act": "question"}]
    picture = links(prediction(tmp_path / "p.jsonl", thread))
    assert "b  answer 0.70  (gold: answer of a, question of ∅)" in texts(picture.elements)


def test_attention(tmp_path):
    thread = copy.deepcopy(THREAD)
    for post, weights in zip(thread["posts"], [[0.7, 0.3], [0.1, 0.6, 0.3], [0.0, 0.5, 0.25, 0.25]], strict=True):
        post["attention"] = weights
    picture = link_attention(prediction(tmp_path / "p.jsonl", thread))
    darkness = shades(picture.elements)
    assert darkness["a → ∅: 0.700"] == 1.0
    assert darkness["c → a: 0.500"] == pytest.approx(0.5 / 0.7, abs=1e-4)
    assert len(darkness) == 8

import copy

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.drawings import THREAD, prediction, shades, texts

from nerzoo.reports.attention_drawings import link_attention, links, memory

FIRST = {"doc_id": "d", "words": [*"abcdefghij", "Mara", "left"], "tags": ["O"] * 12}


def slot(position, word, weight):
    return {"position": position, "word": word, "weight": weight}


def second(*slots, words=("Mara", "and", "Mara")):
    return {
        "doc_id": "d",
        "words": list(words),
        "entities": [{"start": 2, "end": 3, "label": "person"}],
        "attention": [[slot(12, "Mara", 1.0)], [slot(0, "a", 1.0)], list(slots)],
    }


def test_arcs_of_entities_to_earlier_positions(tmp_path):
    slots = [slot(14, "Mara", 0.5), slot(10, "Mara", 0.25), slot(12, "Mara", 0.125), slot(None, None, 0.0625)]
    picture = memory(prediction(tmp_path / "p.jsonl", FIRST, second(*slots)))
    # Itself, which is half as dark so that it can be read, the document, its sentence and the null memory.
    assert shades(picture.elements) == {
        "Mara → Mara (14): 0.500": 0.5,
        "Mara → Mara (10): 0.250": 0.5,
        "Mara → Mara (12): 0.125": 0.25,
        "Mara → ∅ (None): 0.062": 0.125,
    }
    assert texts(picture.elements) == ["∅", "… h", "i", "j", "Mara", "left", "Mara", "and", "Mara"]
    assert "Mara (14) to Mara (10) 0.25" in picture.description


def test_of_all_words_where_there_are_no_entities(tmp_path):
    values = {**second(slot(14, "Mara", 1.0)), "entities": []}
    picture = memory(prediction(tmp_path / "p.jsonl", FIRST, values))
    assert list(shades(picture.elements)) == [
        "Mara → Mara (12): 1.000",
        "and → a (0): 1.000",
        "Mara → Mara (14): 1.000",
    ]
    assert texts(picture.elements)[:4] == ["a", "b", "c", "d"]


def test_weights_of_next_to_nothing_are_not_drawn(tmp_path):
    slots = [slot(14, "Mara", 0.9), slot(0, "a", 0.02), slot(10, "Mara", 0.01)]
    picture = memory(prediction(tmp_path / "p.jsonl", FIRST, second(*slots)))
    assert list(shades(picture.elements)) == ["Mara → a (0): 0.020", "Mara → Mara (14): 0.900"]


def test_a_gap_within_a_sentence(tmp_path):
    slots = [slot(0, "a", 0.5), slot(11, "left", 0.5)]
    picture = memory(prediction(tmp_path / "p.jsonl", FIRST, second(*slots)))
    assert texts(picture.elements) == ["a", "b", "c", "d", "… i", "j", "Mara", "left", "Mara", "and", "Mara"]


@pytest.mark.parametrize("before", [[{**FIRST, "doc_id": "other"}], []])
def test_without_the_sentences_before_it(tmp_path, before):
    expected = r"jsonl:\d: found attention to 'Mara' at position 10 of the document, where it is not, expected the sent"
    with pytest.raises(ConfigurationError, match=expected):
        memory(prediction(tmp_path / "p.jsonl", *before, second(slot(10, "Mara", 1.0))))


def test_sentences_of_one_line_are_a_document(tmp_path):
    line = {"sentences": [FIRST, second(slot(10, "Mara", 1.0))]}
    other = {"sentences": [{**FIRST, "words": ["x"], "tags": ["O"]}]}
    picture = memory(prediction(tmp_path / "p.jsonl", other, line))
    assert list(shades(picture.elements)) == ["Mara → Mara (10): 1.000"]


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

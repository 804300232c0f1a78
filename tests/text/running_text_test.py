import pytest

from nerzoo.text.annotation import entities_to_json, running_text, word_offsets

WORDS = ["New", "York", "'s"]


def test_text_and_offsets():
    text = running_text(WORDS, [True, False, True])
    assert text == "New York's" and word_offsets(WORDS, text) == [0, 4, 8]
    assert running_text(WORDS) == "New York 's"
    assert word_offsets(WORDS, "New New York's", start=4) == [4, 8, 12]
    assert word_offsets(["a", "ab", "a", "b"], "a ab ab") == [0, 2, 5, 6]
    with pytest.raises(ValueError):
        word_offsets(WORDS, "York New")


def test_entities_have_their_text():
    sentence = {"words": WORDS, "text": "New York's", "offsets": [0, 4, 8]}
    expected = {"start": 0, "end": 2, "label": "X", "text": "New York", "start_char": 0, "end_char": 8}
    assert entities_to_json([((0, 2, "X"), None)], sentence) == [expected]
    assert entities_to_json([((0, 2, "X"), 0.5)], sentence) == [{**expected, "probability": 0.5}]

from helpers.drawings import SENTENCE, WORDS, prediction, shades, texts

from nerzoo.reports.tag_drawings import decoders

BACKWARD = ["U-person", "O", "U-place", "U-place"]


def test_tags_of_both_and_where_they_differ(tmp_path):
    picture = decoders(prediction(tmp_path / "p.jsonl", backward_tags=BACKWARD))
    assert list(shades(picture.elements)) == ["in: U-place and O"]
    columns = zip(WORDS, BACKWARD, SENTENCE["tags"], SENTENCE["gold_tags"], strict=True)
    assert texts(picture.elements) == [
        "backward ←",
        "forward →",
        "gold",
        *(text for column in columns for text in column),
    ]
    assert "which differ in 1 of 4 words. in: U-place and O" in picture.description


def test_long_sentences_without_gold_tags_have_several_lines(tmp_path):
    values = {"words": WORDS * 20, "tags": SENTENCE["tags"] * 20, "backward_tags": BACKWARD * 20}
    picture = decoders(prediction(tmp_path / "p.jsonl", values))
    assert texts(picture.elements).count("forward →") > 3
    assert "gold" not in texts(picture.elements)

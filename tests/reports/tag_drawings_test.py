from helpers.drawings import SENTENCE, WORDS, prediction, shades, texts

from nerzoo.reports.draw import decoders, entities

NESTED_WORDS = ["the", "University", "of", "Lindow", "and", "Mara"]


def boxes(picture):
    """Left, right, top and bottom of the box of each entity, by its title."""
    found = {}
    for each in picture.elements:
        for box in each.iter("rect"):
            x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
            found[each.find("title").text] = (x, x + width, y, y + height)
    return found


def test_boxes_are_nested_and_named(tmp_path):
    found = [(0, 4, "organization"), (3, 4, "place"), (5, 6, "person"), (0, 6, "group")]
    values = [dict(zip(("start", "end", "label"), each, strict=True)) for each in found]
    picture = entities(prediction(tmp_path / "p.jsonl", {"words": NESTED_WORDS, "entities": values}))
    found = boxes(picture)
    outer, middle, inner, other = (
        found[title]
        for title in (
            "group: the University of Lindow and Mara",
            "organization: the University of Lindow",
            "place: Lindow",
            "person: Mara",
        )
    )
    for around, within in ((outer, middle), (middle, inner), (outer, other)):
        assert around[0] < within[0]
        assert around[1] > within[1]
        assert around[2] < within[2]
        assert around[3] > within[3]
    assert middle[1] < other[0]
    assert outer[1] <= picture.width
    assert outer[3] <= picture.height
    assert outer[0] >= 0
    # Each type has a colour.
    assert len({box.get("class") for each in picture.elements for box in each.iter("rect")}) == 4
    assert texts(picture.elements)[-6:] == NESTED_WORDS


def test_probabilities_and_labels_wider_than_words(tmp_path):
    value = {"start": 0, "end": 1, "label": "organization", "probability": 0.25}
    picture = entities(prediction(tmp_path / "p.jsonl", {"words": ["UN", "met"], "entities": [value]}))
    assert list(shades(picture.elements)) == ["organization: UN, probability 0.250"]
    left, right, *_ = boxes(picture)["organization: UN, probability 0.250"]
    assert right - left > 12 * 7


def test_without_entities(tmp_path):
    picture = entities(prediction(tmp_path / "p.jsonl", {"words": ["It", "rains"], "entities": []}))
    assert texts(picture.elements) == ["It", "rains"]
    assert picture.description.endswith("with a box around each entity: none.")


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

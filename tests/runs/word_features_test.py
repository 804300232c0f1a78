import pytest

from nerzoo.runs.systems import sentence_features, shape


@pytest.mark.parametrize(
    "word, expected", [("Calder", "Xxxxxx"), ("B-52s", "X-ddx"), ("Åsa_1", "Xxx_d"), ("...", "...")]
)
def test_shape(word, expected):
    assert shape(word) == expected


def test_a_word_among_others():
    first, second, third = sentence_features(["Mara", "left", "B-52s"])
    assert (first["word"], first["shape"], first["short shape"]) == ("mara", "Xxxx", "Xx")
    assert (first["prefix 2"], first["suffix 3"]) == ("ma", "ara")
    # A word is no affix of itself.
    assert "prefix 4" not in first and "prefix 3" in first
    assert first["is first"] and not first["is last"] and first["is title"]
    assert (second["word -1"], second["word +1"], second["shape +1"]) == ("mara", "b-52s", "X-ddx")
    assert (second["pair -1"], second["pair +1"]) == ("mara left", "left b-52s")
    assert (first["word +2"], third["word -2"]) == ("b-52s", "mara")
    assert "word -1" not in first and "word +1" not in third and "pair +2" not in first
    assert (third["has digit"], third["has punctuation"], third["is digit"], third["has capital"]) == (
        *(True, True, False, False),
    )


def test_features_of_form():
    (upper,), (inner,), (number,) = (sentence_features([word]) for word in ("NATO", "iPhone", "1984"))
    assert upper["is upper"] and upper["has capital"] and not upper["is title"]
    assert inner["has capital"] and not inner["is upper"]
    assert number["is digit"] and number["has digit"] and not number["has punctuation"]
    assert number["is first"] and number["is last"]

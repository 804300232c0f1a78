import pytest

from nerzoo.text.annotation import Document, Sentence


@pytest.mark.parametrize(
    "words, text, offsets",
    [
        (["Mara", "lived", "."], "Mara lived.", [0, 5, 10]),
        (["a", "a", "aa", "a"], "a aaa a", [0, 2, 3, 6]),
        (["New", "York"], "\n New \t\u00a0 York  ", [2, 9]),
        (["\u00e9t\u00e9", "\U0001f600", "!"], "\u00e9t\u00e9 \U0001f600!", [0, 4, 5]),
        ([], "  ", []),
    ],
    ids=["punctuation", "repeated words", "odd white space", "beyond ASCII", "no words"],
)
def test_offsets(words, text, offsets):
    assert Sentence(words).offsets(text) == offsets
    for word, offset in zip(words, offsets, strict=True):
        assert text[offset : offset + len(word)] == word


@pytest.mark.parametrize("words", [["Mara", "lived"], ["left", "Mara"], ["Mara", "Mara"]])
def test_a_word_that_the_text_lacks_or_has_elsewhere_is_an_error(words):
    with pytest.raises(ValueError):
        Sentence(words).offsets("Mara left")


def test_the_location_of_a_sentence_is_its_id_or_its_text():
    assert Sentence(["Mara", "left"], id="file:3").location == "file:3"
    assert Sentence(["Mara", "left", "."], space_after=[True, False, False]).location == "'Mara left.'"


def test_the_bounds_of_sentences_in_a_text():
    sentences = [Sentence(["a", "b"]), Sentence(["b"]), Sentence(["b", "a"])]
    assert Document(sentences=sentences).bounds("\n a b  b\nba ") == [(2, 5), (7, 8), (9, 11)]
    with pytest.raises(ValueError):
        Document(sentences=sentences).bounds("a b b a")

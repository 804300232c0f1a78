import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.text.annotation import (
    Document,
    Entity,
    Sentence,
    entities_to_json,
    nested,
    ordered,
    running_text,
    split_into_characters,
    word_offsets,
)


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


def test_ordered():
    entities = [Entity(1, 2, "X"), Entity(0, 1, "B"), Entity(0, 1, "A"), Entity(0, 3, "Y"), Entity(1, 2, "X")]
    assert ordered(entities) == [Entity(0, 3, "Y"), Entity(0, 1, "A"), Entity(0, 1, "B"), Entity(1, 2, "X")]


@pytest.mark.parametrize("crossing", [(1, 4), (2, 4), (0, 2, 1, 3, 2, 4)])
def test_entities_that_cross(crossing):
    spans = [(0, 3), *zip(crossing[::2], crossing[1::2], strict=True)]
    entities = [Entity(*span, "X") for span in spans]
    with pytest.raises(ConfigurationError, match="at [12]: found Entity.* which crosses Entity.*, expected nested"):
        nested(entities, lambda entity: f"at {entity.start}")


def test_entities_beside_and_inside_one_another():
    spans = [(4, 6), (0, 3), (0, 3), (3, 4), (0, 1), (1, 3), (1, 2)]
    found = nested([Entity(*span, "X") for span in spans], str)
    assert [entity[:2] for entity in found] == [(0, 3), (0, 1), (1, 3), (1, 2), (3, 4), (4, 6)]


def test_words_become_characters():
    words = ["林月", "住", "在", "白石镇", "。"]
    sentence = Sentence(
        words,
        pos=["NR", "VV", "P", "NR", "PU"],
        heads=[2, 0, 4, 2, 2],
        dep_labels=["nsubj", "root", "case", "obl", "punct"],
        entities=[Entity(0, 1, "person"), Entity(3, 4, "place"), Entity(0, 5, "all")],
        space_after=[False] * 5,
        id="s-1",
    )
    characters, words_around = split_into_characters(sentence)
    assert characters == Sentence(
        list("林月住在白石镇。"),
        pos=["NR", "NR", "VV", "P", "NR", "NR", "NR", "PU"],
        entities=[Entity(0, 2, "person"), Entity(4, 7, "place"), Entity(0, 8, "all")],
        space_after=[False] * 8,
        id="s-1",
    )
    assert words_around == ["林月", "林月", "住", "在", "白石镇", "白石镇", "白石镇", "。"]
    assert sentence.words == words and characters.text == sentence.text


@pytest.mark.parametrize("space_after", [None, [True, False, True], [False, True, False]])
def test_the_text_stays(space_after):
    sentence = Sentence(["ab", "c", "def"], space_after=space_after)
    characters, words_around = split_into_characters(sentence)
    assert characters.text == sentence.text
    assert characters.pos is characters.heads is None and characters.entities == []
    offsets = characters.offsets(characters.text)
    assert [sentence.text[offset] for offset in offsets] == characters.words == list("abcdef")
    assert words_around == ["ab", "ab", "c", "def", "def", "def"]


def test_characters_are_their_own_words():
    sentence = Sentence(list("在北京市"), entities=[Entity(1, 3, "place")], space_after=[False] * 4)
    assert split_into_characters(sentence) == (sentence, sentence.words)

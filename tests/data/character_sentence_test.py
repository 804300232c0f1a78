import pytest

from nerzoo.data.annotation import Entity, Sentence
from nerzoo.data.character_offsets import character_offsets
from nerzoo.data.character_sentence import character_sentence


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
    characters, of_words = character_sentence(sentence)
    assert characters == Sentence(
        list("林月住在白石镇。"),
        pos=["NR", "NR", "VV", "P", "NR", "NR", "NR", "PU"],
        entities=[Entity(0, 2, "person"), Entity(4, 7, "place"), Entity(0, 8, "all")],
        space_after=[False] * 8,
        id="s-1",
    )
    assert of_words == ["林月", "林月", "住", "在", "白石镇", "白石镇", "白石镇", "。"]
    assert sentence.words == words and characters.text == sentence.text


@pytest.mark.parametrize("space_after", [None, [True, False, True], [False, True, False]])
def test_the_text_stays(space_after):
    sentence = Sentence(["ab", "c", "def"], space_after=space_after)
    characters, of_words = character_sentence(sentence)
    assert characters.text == sentence.text
    assert characters.pos is characters.heads is None and characters.entities == []
    offsets = character_offsets(characters.words, characters.text)
    assert [sentence.text[offset] for offset in offsets] == characters.words == list("abcdef")
    assert of_words == ["ab", "ab", "c", "def", "def", "def"]


def test_characters_are_their_own_words():
    sentence = Sentence(list("在北京市"), entities=[Entity(1, 3, "place")], space_after=[False] * 4)
    assert character_sentence(sentence) == (sentence, sentence.words)

import pytest
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.data.characters import CharacterToken, split_into_characters
from nerzoo.text.annotation import Entity, Sentence


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


def test_indexers_find_the_character_and_its_word():
    token = CharacterToken(Token("石", idx=5, tag_="NR"), "白石镇")
    assert (token.text, token.idx, token.tag_, token.word) == ("石", 5, "NR", "白石镇")
    vocab = Vocabulary(counter={"characters": {"石": 1}, "words": {"山": 1, "白石镇": 1}})
    for feature_name, namespace, expected in (("text", "characters", "石"), ("word", "words", "白石镇")):
        indexer = SingleIdTokenIndexer(namespace=namespace, feature_name=feature_name)
        (index,) = indexer.tokens_to_indices([token], vocab)["tokens"]
        assert vocab.get_token_from_index(index, namespace) == expected

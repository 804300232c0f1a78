from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.data.character_token import CharacterToken


def test_indexers_find_the_character_and_its_word():
    token = CharacterToken(Token("石", idx=5, tag_="NR"), "白石镇")
    assert (token.text, token.idx, token.tag_, token.word) == ("石", 5, "NR", "白石镇")
    vocab = Vocabulary(counter={"characters": {"石": 1}, "words": {"山": 1, "白石镇": 1}})
    for feature_name, namespace, expected in (("text", "characters", "石"), ("word", "words", "白石镇")):
        indexer = SingleIdTokenIndexer(namespace=namespace, feature_name=feature_name)
        (index,) = indexer.tokens_to_indices([token], vocab)["tokens"]
        assert vocab.get_token_from_index(index, namespace) == expected

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.data.parsed_labels import check_parsed, known_labels

INDEXERS = {
    "tokens": SingleIdTokenIndexer(),
    "pos": SingleIdTokenIndexer(namespace="pos", feature_name="tag_"),
    "dep": SingleIdTokenIndexer(namespace="dep", feature_name="dep_"),
}


@pytest.fixture
def vocab():
    return Vocabulary({"tokens": {"Mara": 1}, "pos": {"NNP": 1, "VBD": 1}, "dep": {"root": 1, "nsubj": 1, "obj": 1}})


def test_labels_that_a_model_knows(vocab):
    assert known_labels(INDEXERS, vocab) == {"tag_": {"NNP", "VBD"}, "dep_": {"root", "nsubj", "obj"}}
    assert known_labels({"tokens": SingleIdTokenIndexer()}, vocab) == {}


def test_labels_that_it_does_not_know_are_named(vocab):
    tokens = [Token("Mara", tag_="NNP", dep_=label) for label in ("nsubj", "dobj", "pobj", "pobj")]
    with pytest.raises(ConfigurationError) as caught:
        check_parsed(tokens, INDEXERS, vocab, "a_parser")
    assert str(caught.value) == (
        "found the dependency labels of the parser 'a_parser' 'dobj', 'pobj', which the model does not know, expected "
        "those that it was trained on: 'nsubj', 'obj', 'root'. The model needs the parser that it was trained with, or "
        "one trained on its treebank"
    )
    with pytest.raises(ConfigurationError, match="found the part-of-speech tags of the parser 'a_parser' 'PROPN'"):
        check_parsed([Token("Mara", tag_="PROPN", dep_="root")], INDEXERS, vocab, "a_parser")


def test_the_label_of_arcs_without_one_is_always_known(vocab):
    check_parsed([Token("Mara", tag_="NNP", dep_="dep")], INDEXERS, vocab, "a_parser")

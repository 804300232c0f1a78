import pickle

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Token, Vocabulary
from allennlp.data.fields import TextField

from nerzoo.data.fields import TagField

TOKENS = TextField([Token("Mara"), Token("lived")])
WHERE = ["file:3", "file:4"]


@pytest.fixture
def vocab():
    return Vocabulary(tokens_to_add={"labels": ["O", "U-person"], "other": ["A"]})


def test_known_tags_are_indexed_in_their_namespace(vocab):
    field = pickle.loads(pickle.dumps(TagField(["U-person", "O"], TOKENS, WHERE)))
    field.index(vocab)
    assert field.as_tensor(field.get_padding_lengths()).tolist() == [1, 0]


def test_an_unseen_tag_is_an_error_that_names_the_sentence_the_tag_and_the_known_ones(vocab):
    with pytest.raises(ConfigurationError, match="^file:4: found the tag 'U-place'.*O, U-person"):
        TagField(["O", "U-place"], TOKENS, WHERE).index(vocab)
    with pytest.raises(ConfigurationError, match="found the tag 'O'"):
        TagField(["A", "O"], TOKENS, WHERE, label_namespace="other").index(vocab)


def test_tags_are_as_many_as_words():
    with pytest.raises(ConfigurationError):
        TagField(["O"], TOKENS, WHERE)

import pickle

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.data.fields.tag_field import TagField, coding_scheme_of

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


def counted(*schemes, **parameters):
    """A vocabulary of sentences in these coding schemes."""
    fields = [TagField(["O", "U-person"], TOKENS, WHERE, scheme) for scheme in schemes]
    return Vocabulary.from_instances([Instance({"tags": field}) for field in fields], **parameters)


def test_the_coding_scheme_is_in_the_vocabulary(tmp_path):
    counted("BIO", "BIO", None).save_to_files(tmp_path / "vocabulary")
    assert coding_scheme_of(Vocabulary.from_files(tmp_path / "vocabulary")) == "BIO"
    assert coding_scheme_of(counted(None)) is None
    # A vocabulary whose namespaces all have padding and an unknown word.
    assert coding_scheme_of(counted("BIOUL", non_padded_namespaces=())) == "BIOUL"


@pytest.mark.parametrize("scheme, prefixes", [("BIO", "BI"), ("BIOUL", "BILU"), (None, "U")])
def test_all_tags_of_the_types_that_occur_are_in_the_vocabulary(scheme, prefixes):
    tags = ["U-person", "O"] if scheme != "BIO" else ["B-person", "O"]
    vocab = Vocabulary.from_instances([Instance({"tags": TagField(tags, TOKENS, WHERE, scheme)})])
    known = set(vocab.get_token_to_index_vocabulary("labels"))
    assert known == {"O", *(f"{prefix}-person" for prefix in prefixes)}


def test_two_coding_schemes_are_an_error_that_names_both():
    with pytest.raises(ConfigurationError, match="found tags in the coding schemes BIO and BIOUL, expected one: dat"):
        coding_scheme_of(counted("BIO", "BIOUL", "BIO"))


@pytest.mark.parametrize(
    ("known", "message"),
    [("BIOUL", "that the model was trained on: BIOUL"), (None, "none, its tags stand for themselves")],
)
def test_another_coding_scheme_than_that_of_the_vocabulary_is_an_error(known, message):
    vocab = vocabulary_of_tags(["O", "B-person"], known)
    with pytest.raises(ConfigurationError, match=f"^file:3: found tags in the coding scheme BIO, expected .*{message}"):
        TagField(["O", "B-person"], TOKENS, WHERE, "BIO").index(vocab)
    # A sentence's own tags say nothing of a scheme.
    TagField(["O", "B-person"], TOKENS, WHERE).index(vocab)


def test_concatenation():
    first, second = (TextField([token]) for token in TOKENS)
    parts = [TagField(["O"], first, ["file:3"]), TagField(["B-person"], second, ["file:9"], "BIO")]
    whole = TagField.concatenate(parts, TOKENS)
    assert whole.labels == ["O", "B-person"]
    assert coding_scheme_of(Vocabulary.from_instances([Instance({"tags": whole})])) == "BIO"
    with pytest.raises(ConfigurationError, match="^file:9: found the tag 'B-person'"):
        whole.index(vocabulary_of_tags(["O"], "BIO"))

import json

import numpy
import pytest

from nerzoo.runtime.word_input import ModelFolder, WordInput
from nerzoo.text.word_forms import hashed_characters, lexical_form

WORDS = {
    "name": "tokens",
    "type": "words",
    "zero_digits": False,
    "lowercase": False,
    "unknown": 1,
    "unknown_capitalized": None,
}
CHARACTERS = {
    "name": "tokens",
    "type": "characters",
    "zero_digits": False,
    "unknown": 1,
    "min_length": 1,
    "max_length": None,
}
VECTORS = numpy.arange(200, dtype=numpy.float16).reshape(100, 2) / 4


@pytest.fixture
def word_input(tmp_path):
    """Makes an input with a vocabulary; further settings and tables go by their names."""

    def make(settings, vocabulary=(), tables=None, **others):
        (tmp_path / "settings.json").write_text('{"format": 3}')
        (tmp_path / "checksums.sha256").touch()
        if "unknown" in settings:
            (tmp_path / "tokens.vocabulary.json").write_text(json.dumps(["@@PADDING@@", "@@UNKNOWN@@", *vocabulary]))
        for name, table in ({"": VECTORS} if tables is None else tables).items():
            numpy.save(tmp_path / f"tokens{name}.npy", table)
        return WordInput(ModelFolder(tmp_path), {**settings, **others})

    return make


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({}, [2, 3, 1, 1, 1]),
        ({"unknown": 0}, [2, 3, 0, 0, 0]),
        ({"unknown_capitalized": 5}, [2, 3, 5, 1, 5]),
        ({"lowercase": True}, [3, 3, 3, 1, 1]),
        # What is looked up has no capital letter.
        ({"lowercase": True, "unknown_capitalized": 5}, [3, 3, 3, 1, 1]),
        ({"zero_digits": True}, [2, 3, 1, 4, 1]),
    ],
)
def test_words_have_their_vectors(word_input, others, expected):
    found = word_input(WORDS, ["Mara", "mara", "00"], **others)(["Mara", "mara", "MARA", "19", "Essel"])
    assert found.dtype == numpy.float32
    assert found.tolist() == VECTORS[expected].tolist()


def test_trained_vectors_replace_those_of_their_rows(word_input):
    trained = numpy.array([[-1, -1], [-2, -2], [-3, -3]], numpy.float32)
    words = numpy.array([4, 2])
    found = word_input(WORDS, ["a", "b", "c"], {"": VECTORS, ".words": words, ".trained": trained})(
        ["c", "b", "a", "c"]
    )
    assert found.tolist() == [[-2, -2], VECTORS[3].tolist(), [-3, -3], [-2, -2]]


def test_vectors_in_8_bits_are_multiplied_by_their_scales(word_input):
    vectors = numpy.arange(-100, 100).astype(numpy.int8).reshape(100, 2)
    scales = numpy.full((100, 1), 0.5, numpy.float16)
    scales[3] = 2
    found = word_input(WORDS, ["a", "b"], {"": vectors, ".scales": scales})(["a", "b"])
    assert found.dtype == numpy.float32
    assert found.tolist() == [[-48, -47.5], [-188, -186]]


def test_lexical_features_have_their_vectors(word_input):
    found = word_input({"name": "tokens", "type": "lexical_features", "zero_digits": False})(["is", "U.S."])
    assert found.tolist() == VECTORS[[lexical_form("is"), lexical_form("U.S.")]].tolist()


def test_characters_are_padded_to_the_longest_word(word_input):
    found = word_input(CHARACTERS, ["a", "b", "0"])(["ab", "x", "b5b"])
    assert found.dtype == numpy.int64
    assert found.tolist() == [[2, 3, 0], [1, 0, 0], [3, 1, 3]]
    assert word_input(CHARACTERS, ["a", "b", "0"], zero_digits=True)(["b5b"]).tolist() == [[3, 4, 3]]
    assert word_input(CHARACTERS, ["a"], min_length=3)(["a"]).tolist() == [[2, 0, 0]]


def test_hashed_characters_need_no_vocabulary(word_input):
    settings = {name: value for name, value in CHARACTERS.items() if name != "unknown"}
    found = word_input(settings, type="hashed_characters")(["ab", "c"])
    assert found.tolist() == [hashed_characters("ab"), [*hashed_characters("c"), 0]]


def test_a_word_is_as_long_as_the_limit_at_most(word_input):
    limited = word_input(CHARACTERS, ["a"], max_length=2)
    assert limited(["aa"]).tolist() == [[2, 2]]
    with pytest.raises(ValueError, match="found a word of 3 characters"):
        limited(["a", "aaa"])

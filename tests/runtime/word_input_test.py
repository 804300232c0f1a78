import json
import sys

import hypothesis.strategies as some
import numpy
import pytest
import torch
from hypothesis import given
from tokenizers import Tokenizer, models, pre_tokenizers

from nerzoo.nn.windows import overlapping_windows
from nerzoo.runtime.word_input import ModelFolder, PieceInput, Pieces, WordInput, encoded
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
        (tmp_path / "settings.json").write_text('{"format": 4}')
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


PIECES = {"name": "bert", "type": "pieces", "zero_digits": False, "window": 12, "prefix": [101], "suffix": [102, 103]}


@given(some.lists(some.lists(some.integers(0, 14), min_size=1, max_size=12), min_size=1, max_size=4))
def test_windows_are_those_of_training(numbers):
    texts = [Pieces(list(range(200 * i, 200 * i + sum(row))), numpy.array(row)) for i, row in enumerate(numbers)]
    batches = []

    def encode(pieces):
        """Returns as the state of a piece its number, and that of the first piece of its window."""
        assert pieces.size <= 20 or len(pieces) == 1
        batches.extend(pieces.tolist())
        return numpy.stack([pieces, pieces[:, 1:2].repeat(pieces.shape[1], 1)], 2).astype(numpy.float32)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nerzoo.runtime.word_input.BATCH_PIECES", 20)
        found = encoded(PIECES, texts, encode)
    counts = torch.from_numpy(found["bert.counts"])
    assert [row[: len(given)] for row, given in zip(counts.tolist(), numbers, strict=True)] == numbers
    longest = found["bert.rows"].shape[1]
    assert longest == max(1, max(map(sum, numbers)))
    windows = overlapping_windows(counts, longest, size=9)
    expected = [
        [101, *texts[text].ids[start : start + length], 102, 103]
        for text, start, length in zip(windows.texts, windows.starts, windows.lengths, strict=True)
    ]
    # Longer ones come first.
    assert [[piece for piece in row if piece >= 0] for row in batches] == sorted(expected, key=len, reverse=True)
    for i, (ids, _) in enumerate(texts):
        rows, words = (found[name][i, : len(ids)] for name in ("bert.rows", "bert.words"))
        assert words.tolist() == windows.words[i, : len(ids)].tolist()
        # Each piece is where it is read from, in its window.
        firsts = [expected[window][1] for window in windows.windows[i, : len(ids)]]
        assert found["bert.states"][rows].tolist() == [list(pair) for pair in zip(ids, firsts, strict=True)]


@pytest.fixture
def piece_input(tmp_path):
    (tmp_path / "settings.json").write_text('{"format": 4}')
    (tmp_path / "checksums.sha256").touch()
    tokenizer = Tokenizer(models.WordLevel({"?": 0, "a": 1, "0": 2, "7": 3}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)]
    )
    tokenizer.save(str(tmp_path / "bert.tokenizer.json"))
    return lambda **others: PieceInput(ModelFolder(tmp_path), {**PIECES, **others}, lambda pieces: pieces[:, :, None])


def test_words_are_split_into_pieces(piece_input):
    words = ["a", " ", "a07", "b"]
    ids, counts = piece_input().split(words)
    assert ids == [1, 1, 2, 3, 0] and counts.tolist() == [1, 0, 3, 1]
    assert piece_input(zero_digits=True).split(words).ids == [1, 1, 2, 2, 0]
    found = piece_input()([words])
    assert found["bert.states"].flatten().tolist() == [101, 1, 1, 2, 3, 0, 102, 103]
    assert found["bert.rows"].tolist() == [[1, 2, 3, 4, 5]]
    # Half of a surrogate pair is an unknown character.
    ids, counts = piece_input().split(["a", "\ud800a"])
    assert ids == [1, 0, 1] and counts.tolist() == [1, 2]


def test_the_package_of_tokenizers_is_named(piece_input, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    expected = (
        "found no tokenizers, expected it, which splits the words of a transformer: pip install nerzoo[tokenizers]"
    )
    with pytest.raises(ImportError) as raised:
        piece_input()
    assert str(raised.value) == expected


def test_a_tokenizer_that_cannot_be_read(piece_input, tmp_path):
    (tmp_path / "bert.tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match="bert.tokenizer.json: found no tokenizer .*, expected a folder that"):
        piece_input()

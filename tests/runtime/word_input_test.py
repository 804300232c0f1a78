import pytest

from nerzoo.runtime.word_input import WordInput

# Such an input reads no file of the folder.
SETTINGS = {
    "name": "words.characters",
    "type": "hashed_characters",
    "zero_digits": False,
    "min_length": 1,
    "max_length": 4,
}


def test_a_word_of_the_longest_length_is_read_and_a_longer_one_refused():
    word_input = WordInput(None, SETTINGS)
    indices = word_input(["Mara", "in"])
    assert (indices > 0).tolist() == [[True] * 4, [True, True, False, False]]
    with pytest.raises(ValueError, match="^found a word of 5 characters, expected 4 at most$"):
        word_input(["in", "lived"])

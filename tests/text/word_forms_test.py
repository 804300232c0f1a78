import pytest

from nerzoo.text.word_forms import has_capital, hashed_characters, lexical_form, with_zeros


def test_digits_of_any_script_are_zeros():
    assert with_zeros("1996, ٣ and B2B") == "0000, 0 and B0B"


@pytest.mark.parametrize(("word", "expected"), [("iPhone", True), ("É", True), ("phone", False), ("12", False)])
def test_has_a_capital_letter(word, expected):
    assert has_capital(word) == expected


def test_forms_and_hashes():
    """Of each feature and kind of character, the tests of the token indexers say more."""
    assert [lexical_form(word) for word in ("is", "U.S.", "B2b")] == [1 + 4, 1 + 1 + 2 + 8 + 32, 1 + 1 + 16]
    assert hashed_characters("aá\ud800") == [1 + ord("a"), 1 + ord("!"), 1]

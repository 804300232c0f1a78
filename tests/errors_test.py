import pytest

from nerzoo.errors import in_short


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("\n one\n  two \nthree\nfour", "one two three"),
        ("x" * 600, "x" * 500),
        ("", "ValueError"),
        (" \n", "ValueError"),
    ],
)
def test_an_error_in_short(message, expected):
    assert in_short(ValueError(message)) == expected

import pytest

from nerzoo.files import JsonError, check_surrogates, parse_json


def test_json_is_parsed():
    assert parse_json('{"a": [1, "\\ud83d\\ude00", null]}') == {"a": [1, "\U0001f600", None]}


@pytest.mark.parametrize(
    "text, found, line",
    [
        ('{"a": 1,\n "a" 2}', "Expecting ':' delimiter in column 6", 2),
        ("[" * 100_000, "nested too deep", 1),
        ('{"a": ' * 100_000, "nested too deep", 1),
        ("9" * 5000, "an integer of more than 4300 digits", 1),
        ('[{"a": 1, "b": 2, "a": 3}]', "the key 'a' twice in an object", 1),
        ('["\\ud800"]', r"'\\ud800', one half of a surrogate pair", 1),
        ('{"\\udfff": 1}', "one half of a surrogate pair", 1),
    ],
)
def test_what_is_not_json(text, found, line):
    with pytest.raises(JsonError, match=found) as caught:
        parse_json(text)
    assert caught.value.line == line


def test_surrogates_in_values_of_any_kind():
    check_surrogates({"a": ("b", object())})
    with pytest.raises(JsonError):
        check_surrogates({"a": ("\ud800",)})

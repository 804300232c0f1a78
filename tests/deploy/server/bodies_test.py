import json

import pytest

from nerzoo.deploy.server.requests import JSON, JSON_LINES, Refusal, read_items, to_json


def items(body, content_type=JSON, max_items=3, **headers):
    return read_items(body, {"content-type": content_type, **headers}, max_items)


def refusal(*args, **headers):
    with pytest.raises(Refusal) as raised:
        items(*args, **headers)
    return raised.value


def test_an_object_is_one_item():
    assert items(b'{"sentence": "A"}', "Application/JSON; charset=utf-8") == ([{"sentence": "A"}], False)


def test_an_array_is_many_items_even_of_one():
    assert items(b'[{"sentence": "A"}]') == ([{"sentence": "A"}], True)


def test_lines_are_many_items():
    assert items(b'{"a": 1}\r\n\n{"b": 2}', JSON_LINES) == ([{"a": 1}, {"b": 2}], True)


@pytest.mark.parametrize(
    "body, expected",
    [
        (b'{"sentence": ', "Expecting value"),
        (b'{"sentence": "\xff"}', "invalid start byte"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
        (b'{"heads": [' + b"9" * 5000 + b"]}", "an integer of more than 4300 digits"),
        (b'{"probability": NaN}', "NaN, which is no number of JSON"),
        (b'{"probability": -Infinity}', "-Infinity, which is no number"),
        (b'{"sentence": "\\ud800"}', "one half of a surrogate pair"),
        (b'{"sentence": "A",\n "sentence": "B"}', "the key 'sentence' twice"),
        (b'{"sentence":\n B}', "line 2: Expecting value in column 2"),
        (b"3", "found 3, expected an object"),
        (b"[]", "found no item"),
        (b"", "Expecting value"),
        (b"[{}, {}, {}, {}]", "found 4 items, expected at most 3"),
    ],
)
def test_what_is_no_item_is_refused(body, expected):
    found = refusal(body)
    assert found.status == 422 and expected in str(found)


def test_a_pair_of_surrogates_is_a_character():
    assert items(b'{"sentence": "\\ud83d\\ude00"}') == ([{"sentence": "\U0001f600"}], False)


def test_a_bad_line_is_named():
    assert refusal(b'{"a": 1}\n{"b": ', JSON_LINES).index == 1


def test_too_many_lines_are_refused():
    assert "found 4 items" in str(refusal(b"{}\n" * 4, JSON_LINES))


def test_other_types_are_refused():
    found = refusal(b"text", "text/plain")
    assert found.status == 415 and "'text/plain'" in str(found)


@pytest.mark.parametrize("encoding, is_refused", [("gzip", True), ("Identity", False)])
def test_compressed_bodies_are_refused(encoding, is_refused):
    headers = {"content-encoding": encoding}
    if is_refused:
        found = refusal(b"\x1f\x8b", **headers)
        assert found.status == 415 and "found the Content-Encoding 'gzip'" in str(found)
    else:
        assert items(b"[{}]", **headers) == ([{}], True)


def test_written_json_is_ascii_and_has_no_numbers_that_are_none():
    value = {"a": [float("nan"), float("inf"), 1.5], "b": "\ud800é", "c": None}
    written = to_json(value)
    assert written.isascii() and written.endswith(b"\n")
    assert json.loads(written, parse_constant=pytest.fail) == {**value, "a": [None, None, 1.5]}

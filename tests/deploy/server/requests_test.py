import asyncio
import json
from types import SimpleNamespace

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.deploy.server.requests import (
    JSON,
    JSON_LINES,
    LONGEST,
    OWN_FAULT,
    Refusal,
    in_time,
    read_body,
    read_items,
    to_json,
    to_refusal,
)


def read(*messages, max_bytes=10, **headers):
    waiting = list(messages)

    async def receive():
        return waiting.pop(0)

    request = SimpleNamespace(
        headers={name.replace("_", "-"): value for name, value in headers.items()}, receive=receive
    )
    return asyncio.run(read_body(request, max_bytes))


def part(body, more_body=True):
    return {"type": "http.request", "body": body, "more_body": more_body}


def test_parts_are_joined():
    assert read(part(b"12345"), part(b"67890"), part(b"", False), content_length="10") == b"1234567890"


def test_a_large_body_is_refused_before_it_is_read():
    with pytest.raises(Refusal, match="^found a body of 11 bytes, expected at most 10$") as raised:
        read(content_length="11")
    assert raised.value.status == 413


@pytest.mark.parametrize("headers", [{}, {"content_length": "5"}, {"content_length": "-5"}, {"content_length": "x"}])
def test_a_body_larger_than_announced_is_refused_as_soon_as_it_is(headers):
    with pytest.raises(Refusal, match="^found a body of more than 10 bytes") as raised:
        read(part(b"12345"), part(b"678901"), **headers)
    assert raised.value.status == 413


def test_a_client_that_goes_away():
    with pytest.raises(Refusal, match="found a part of a body"):
        read(part(b"12345"), {"type": "http.disconnect"})


def test_what_takes_too_long():
    async def wait():
        async with in_time(0.01, 504, "prediction"):
            await asyncio.sleep(10)

    with pytest.raises(Refusal, match="^found no prediction within 0.01 s") as raised:
        asyncio.run(wait())
    assert raised.value.status == 504


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


def caused(cause):
    error = ConfigurationError("/srv/pipeline cannot be loaded")
    error.__cause__ = cause
    return error


def test_content_has_the_index_if_there_is_one():
    assert Refusal(422, "found a", 3).content == {"error": "found a", "index": 3}
    assert Refusal(422, "found a").content == {"error": "found a"}


@pytest.mark.parametrize("status, name", [(401, "WWW-Authenticate"), (429, "Retry-After")])
def test_headers_that_belong_to_a_status(status, name):
    assert name in Refusal(status, "").headers
    assert Refusal(422, "").headers == {}


def test_long_messages_are_shortened():
    assert len(str(Refusal(422, "a" * 10_000))) <= LONGEST + 5


def test_an_error_about_the_item_is_the_answer():
    found = to_refusal(ConfigurationError("found 1, expected 2"), is_read=True)
    assert (found.status, str(found)) == (422, "found 1, expected 2")


@pytest.mark.parametrize("error", [caused(OSError()), caused(ImportError())])
def test_files_of_the_server_stay_in_its_log(error, caplog):
    found = to_refusal(error, is_read=False)
    assert (found.status, str(found)) == (500, OWN_FAULT)
    assert "/srv/pipeline" in caplog.text


def test_what_fails_after_reading_is_the_servers_fault(caplog):
    found = to_refusal(RuntimeError("secret"), is_read=True)
    assert (found.status, str(found)) == (500, OWN_FAULT)
    assert "secret" in caplog.text


def test_what_cannot_be_read_is_the_clients_fault():
    found = to_refusal(TypeError("secret"), is_read=False)
    assert found.status == 422 and "secret" not in str(found) and "TypeError" in str(found)

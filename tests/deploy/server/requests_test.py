import asyncio
from types import SimpleNamespace

import pytest

from nerzoo.deploy.server.requests import Refusal, in_time, read_body


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

import asyncio

import pytest

from nerzoo.deploy.server.gate import Lingering


def answered(status, parts, *content, reads=0):
    """What is sent, and how many parts of the body are left, where some have been read before."""
    sent, waiting = [], list(parts)

    async def receive():
        if not waiting:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": b"a", "more_body": waiting.pop(0)}

    async def send(message):
        sent.append(message)

    async def run():
        lingering = Lingering(receive, send)
        for _ in range(reads):
            await lingering.receive()
        await lingering.send({"type": "http.response.start", "status": status, "headers": [(b"a", b"b")]})
        for body, more in content or [(b"{}", False)]:
            await lingering.send({"type": "http.response.body", "body": body, "more_body": more})

    asyncio.run(run())
    return sent, len(waiting)


@pytest.mark.parametrize("status", [401, 408, 413, 429])
def test_the_rest_of_a_refused_body_is_thrown_away_and_the_connection_ends(status):
    (start, body, end), left = answered(status, [True, True, False], reads=1)
    assert (b"connection", b"close") in start["headers"] and (b"a", b"b") in start["headers"]
    assert (body["body"], body["more_body"]) == (b"{}", True)
    assert end == {"type": "http.response.body", "body": b""} and left == 0


def test_a_body_without_an_end_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("nerzoo.deploy.server.gate.SECONDS", 0.05)
    sent, _ = answered(408, [True])
    assert len(sent) == 3


def test_where_the_body_has_been_read_the_connection_stays():
    (start, body), _ = answered(413, [False], reads=1)
    assert start["headers"] == [(b"a", b"b")] and not body["more_body"]


def test_other_answers_go_as_they_are():
    (start, first, last), left = answered(200, [True], (b"1", True), (b"2", False))
    assert start["headers"] == [(b"a", b"b")] and left == 1
    assert [first["more_body"], last["more_body"]] == [True, False]

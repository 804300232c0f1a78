import asyncio
import json

import pytest

from nerzoo.deploy.server import app as server_app
from nerzoo.deploy.server.app import Gate, Lingering
from nerzoo.deploy.server.requests import Limits


async def app(scope, receive, send):
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-security-policy", b"own")] * (scope["path"] == "/own"),
        }
    )
    await send({"type": "http.response.body", "body": b"{}"})


def asked(path, authorization=None, token="öl"):
    """Status, headers and content of the answer."""
    messages = []

    async def send(message):
        messages.append(message)

    async def receive():
        return {"type": "http.request", "body": b"{}"}

    headers = [] if authorization is None else [(b"authorization", authorization)]
    asyncio.run(Gate(app, Limits(), token)({"type": "http", "path": path, "headers": headers}, receive, send))
    start, *parts = messages
    return start["status"], dict(start["headers"]), json.loads(b"".join(part["body"] for part in parts))


@pytest.mark.parametrize("path", ["/", "/health", "/docs", "/openapi.json", "/static/swagger-ui.css"])
def test_no_token_is_needed_for_what_says_nothing_of_the_model(path):
    assert asked(path)[0] == 200


@pytest.mark.parametrize("path", ["/predict", "/draw", "/model", "/static", "/docs/", "/nothing"])
@pytest.mark.parametrize(
    "authorization, found",
    [(None, "no token"), (b"Bearer \xff", "another token"), (b"Basic \xc3\xb6l", "another token")],
)
def test_a_token_is_needed_for_all_else(path, authorization, found):
    status, headers, content = asked(path, authorization)
    assert status == 401 and headers[b"WWW-Authenticate"] == b"Bearer"
    assert content == {"error": f"found {found}, expected the header Authorization: Bearer TOKEN"}


def test_who_knows_the_token_is_let_in():
    assert asked("/predict", "Bearer öl".encode())[0] == 200


def test_without_a_token_all_are_let_in():
    assert asked("/predict", token=None)[0] == 200


@pytest.mark.parametrize("path", ["/predict", "/health"])
def test_browsers_are_told_to_be_strict(path):
    _, headers, _ = asked(path)
    assert headers[b"content-security-policy"] == b"default-src 'none'; frame-ancestors 'none'"
    assert headers[b"x-content-type-options"] == b"nosniff" and headers[b"cache-control"] == b"no-store"
    assert not any(name.startswith(b"access-control") for name in headers)


def test_a_policy_that_is_there_stays():
    assert asked("/own", token=None)[1][b"content-security-policy"] == b"own"


def test_the_page_of_the_interface_may_run_its_script():
    assert b"script-src 'self'" in asked("/docs")[1][b"content-security-policy"]


def test_who_does_not_read_an_answer_is_left(caplog):
    async def send(message):
        await asyncio.sleep(20)

    gate = Gate(app, Limits(seconds=0.05))
    asyncio.run(gate({"type": "http", "path": "/predict", "headers": []}, None, send))
    assert "a client did not read its answer within 0.05 s" in caplog.text
    assert gate._num_requests == 0


def test_what_is_not_http_goes_on():
    seen = []

    async def inner(scope, receive, send):
        seen.append(scope["type"])

    asyncio.run(Gate(inner, Limits())({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]


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
    monkeypatch.setattr(server_app, "SECONDS", 0.05)
    sent, _ = answered(408, [True])
    assert len(sent) == 3


def test_where_the_body_has_been_read_the_connection_stays():
    (start, body), _ = answered(413, [False], reads=1)
    assert start["headers"] == [(b"a", b"b")] and not body["more_body"]


def test_other_answers_go_as_they_are():
    (start, first, last), left = answered(200, [True], (b"1", True), (b"2", False))
    assert start["headers"] == [(b"a", b"b")] and left == 1
    assert [first["more_body"], last["more_body"]] == [True, False]

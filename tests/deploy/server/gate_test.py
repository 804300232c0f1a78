import asyncio
import json

import pytest

from nerzoo.deploy.server.gate import Gate
from nerzoo.deploy.server.limits import Limits


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

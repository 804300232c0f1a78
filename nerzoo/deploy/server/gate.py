import asyncio
import hmac
import logging
from contextlib import suppress
from typing import Any, Awaitable, Callable, MutableMapping, Optional

from nerzoo.deploy.server.requests import JSON, Limits, Refusal, to_json

# The types of ASGI, the interface between servers and applications in Python.
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_logger = logging.getLogger(__name__)

PUBLIC = ("/", "/health", "/docs", "/openapi.json")
"""The paths that need no token: they reveal nothing about the model."""

STATIC = "/static"
"""The path of the files that `/docs` loads, which need no token either."""

UNREAD = (401, 408, 413, 429)
"""The statuses of answers that may come before the body of the request has been read."""

SECONDS = 2.0
"""The time for a client to read such an answer."""

_POLICY = "default-src 'none'; frame-ancestors 'none'"
_DOCS_POLICY = (
    # The page has a script of its own, which loads those of `STATIC`.
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
)
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


class _NotReadError(Exception):
    """The client does not read its answer."""


class Gate:
    """
    The outermost layer of the server, around an application of ASGI: checks the token, if there is one, limits the
    number of requests that are being answered, and ends those whose client does not read its answer. Adds headers that
    tell browsers to be strict.
    """

    def __init__(self, app: App, limits: Limits, token: Optional[str] = None) -> None:
        self._app = app
        self._limits = limits
        self._credentials = None if token is None else f"Bearer {token}".encode()
        self._num_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        lingering = Lingering(receive, self._strict(send, scope["path"]))
        try:
            self._check(scope)
        except Refusal as refusal:
            headers = {"Content-Type": JSON, **refusal.headers}
            encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
            await lingering.send({"type": "http.response.start", "status": refusal.status, "headers": encoded})
            await lingering.send({"type": "http.response.body", "body": to_json(refusal.content)})
            return
        self._num_requests += 1
        try:
            await self._app(scope, lingering.receive, lingering.send)
        except _NotReadError:
            # The connection ends with an incomplete answer.
            _logger.warning("a client did not read its answer within %g s", self._limits.seconds)
        finally:
            self._num_requests -= 1

    def _check(self, scope: Scope) -> None:
        is_public = scope["path"] in PUBLIC or scope["path"].startswith(f"{STATIC}/")
        if self._credentials is not None and not is_public:
            found = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
            # The time does not depend on the position where they differ.
            if not hmac.compare_digest(found, self._credentials):
                missing = "another token" if found else "no token"
                raise Refusal(401, f"found {missing}, expected the header Authorization: Bearer TOKEN")
        if self._num_requests >= self._limits.requests and scope["path"] != "/health":
            raise Refusal(429, f"found {self._num_requests} requests being answered, expected fewer; try again later")

    def _strict(self, send: Send, path: str) -> Send:
        policy = _DOCS_POLICY if path == "/docs" else _POLICY
        headers = {"Content-Security-Policy": policy, **_HEADERS}

        async def strict_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                added = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in present)]
            try:
                async with asyncio.timeout(self._limits.seconds):
                    await send(message)
            except TimeoutError:
                raise _NotReadError from None

        return strict_send


class Lingering:
    """
    The channels of a request whose connection ends if it is refused before its body has been read. The connection does
    not end at once: the client, which is still sending, would not see the answer. What it sends meanwhile is discarded.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._is_read = False
        self._is_refused = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._is_refused = message["status"] in UNREAD and not self._is_read
            if self._is_refused:
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            await self._send(message)
        elif self._is_refused and not message.get("more_body", False):
            await self._send({**message, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS):
                    while not self._is_read:
                        await self.receive()
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await self._send(message)

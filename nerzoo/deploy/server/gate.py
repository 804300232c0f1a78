"""Types of the interface between servers and applications in Python."""

import asyncio
import hmac
import logging
from contextlib import suppress
from typing import Any, Awaitable, Callable, Dict, MutableMapping, Optional

from nerzoo.deploy.server.limits import Limits
from nerzoo.deploy.server.requests import JSON, Refusal, to_json

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


UNREAD = (401, 408, 413, 429)
"""Statuses of answers that may come before the body of the request has been read."""

SECONDS = 2.0
"""For a client to read such an answer."""


class Lingering:
    """
    A request whose connection ends where it is refused before its body has been read: not at once, or else the client,
    which still sends, would not learn why. What it sends meanwhile is thrown away.

    # Parameters

    receive : `Callable`
    send : `Callable`
        The channels of ASGI.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._is_read = False
        self._is_refused = False

    async def receive(self) -> Message:
        """Receives as the channel does."""
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Sends as the channel does."""
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


_logger = logging.getLogger(__name__)

PUBLIC = ("/", "/health", "/docs", "/openapi.json")
"""What needs no token: it says nothing of the model."""

STATIC = "/static"
"""Files of the page of the interface."""

_POLICIES = {
    # It has a script of its own, which loads those of `STATIC`.
    "/docs": "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
}
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _NotReadError(Exception):
    """The client does not read its answer."""


class Gate:
    """
    What each request passes first: asks for the token, counts those that are being answered, so that there are not too
    many, and ends those whose client does not read its answer. Adds headers that tell browsers to be strict.

    # Parameters

    app : `Callable`
        An application of ASGI.
    limits : `Limits`
    token : `str`, optional
        What clients must know; none is asked for by default.
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
            self._check_token(scope)
            self._check_number(scope)
        except Refusal as refusal:
            await _refuse(refusal, lingering.send)
            return
        self._num_requests += 1
        try:
            await self._app(scope, lingering.receive, lingering.send)
        except _NotReadError:
            # The connection ends with an answer that is not whole.
            _logger.warning("a client did not read its answer within %g s", self._limits.seconds)
        finally:
            self._num_requests -= 1

    def _check_token(self, scope: Scope) -> None:
        if self._credentials is None or scope["path"] in PUBLIC or scope["path"].startswith(f"{STATIC}/"):
            return
        found = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        # In the same time wherever they differ.
        if not hmac.compare_digest(found, self._credentials):
            missing = "another token" if found else "no token"
            raise Refusal(401, f"found {missing}, expected the header Authorization: Bearer TOKEN")

    def _check_number(self, scope: Scope) -> None:
        if self._num_requests >= self._limits.requests and scope["path"] != "/health":
            raise Refusal(429, f"found {self._num_requests} requests being answered, expected fewer; try again later")

    def _strict(self, send: Send, path: str) -> Send:
        policy = _POLICIES.get(path, "default-src 'none'; frame-ancestors 'none'")
        headers = {"Content-Security-Policy": policy, **_HEADERS}

        async def bounded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                added = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in present)]
            try:
                async with asyncio.timeout(self._limits.seconds):
                    await send(message)
            except TimeoutError:
                raise _NotReadError from None

        return bounded


async def _refuse(refusal: Refusal, send: Send) -> None:
    headers: Dict[str, str] = {"Content-Type": JSON, **refusal.headers}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": encoded})
    await send({"type": "http.response.body", "body": to_json(refusal.content)})

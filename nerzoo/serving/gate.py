import asyncio
import hmac
import logging
from typing import Dict, Optional

from nerzoo.serving.asgi import App, Message, Receive, Scope, Send
from nerzoo.serving.bodies import JSON, to_json
from nerzoo.serving.limits import Limits
from nerzoo.serving.lingering import Lingering
from nerzoo.serving.refusal import Refusal

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

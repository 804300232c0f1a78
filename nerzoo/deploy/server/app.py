"""The application of a server, and the gate around it."""

import asyncio
import base64
import hashlib
import hmac
import logging
import re
from contextlib import aclosing, suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Optional, Sequence, Tuple, Union

from nerzoo.deploy.server.batcher import Batcher, Result
from nerzoo.deploy.server.requests import (
    JSON,
    JSON_LINES,
    OWN_FAULT,
    Limits,
    Refusal,
    in_time,
    read_body,
    read_items,
    to_json,
)
from nerzoo.errors import extra
from nerzoo.inference.json_predictor import ReadItem
from nerzoo.inference.tagger import Tagger
from nerzoo.reports.svg import STYLE
from nerzoo.text.palette import PAGE_STYLE
from nerzoo.version import __version__

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

    def __init__(self, app: "ASGIApp", limits: Limits, token: Optional[str] = None) -> None:
        self._app = app
        self._limits = limits
        self._credentials = None if token is None else f"Bearer {token}".encode()
        self._num_requests = 0

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
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

    def _check(self, scope: "Scope") -> None:
        is_public = scope["path"] in PUBLIC or scope["path"].startswith(f"{STATIC}/")
        if self._credentials is not None and not is_public:
            found = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
            # The time does not depend on the position where they differ.
            if not hmac.compare_digest(found, self._credentials):
                missing = "another token" if found else "no token"
                raise Refusal(401, f"found {missing}, expected the header Authorization: Bearer TOKEN")
        if self._num_requests >= self._limits.requests and scope["path"] != "/health":
            raise Refusal(429, f"found {self._num_requests} requests being answered, expected fewer; try again later")

    def _strict(self, send: "Send", path: str) -> "Send":
        policy = _DOCS_POLICY if path == "/docs" else _POLICY
        headers = {"Content-Security-Policy": policy, **_HEADERS}

        async def strict_send(message: "Message") -> None:
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

    def __init__(self, receive: "Receive", send: "Send") -> None:
        self._receive = receive
        self._send = send
        self._is_read = False
        self._is_refused = False

    async def receive(self) -> "Message":
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def send(self, message: "Message") -> None:
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


DESCRIPTION = "Predictions of an archive: what `nerzoo predict` takes and gives."

# The bodies of requests, as OpenAPI describes them.
_ITEM = {"type": "object", "example": {"text": "Mara lived in Calder."}}
_ITEMS = {"schema": {"oneOf": [_ITEM, {"type": "array", "items": _ITEM}]}}
_LINES = {"schema": {"type": "string", "example": '{"text": "Mara lived in Calder."}\n'}}
_ONE: Dict[str, Any] = {"requestBody": {"required": True, "content": {JSON: {"schema": _ITEM}}}}
_MANY: Dict[str, Any] = {"requestBody": {"required": True, "content": {JSON: _ITEMS, JSON_LINES: _LINES}}}


def make_app(tagger: Tagger, facts: Dict[str, Any], limits: Limits, token: Optional[str] = None) -> "FastAPI":
    """
    Makes the application of a server: predictions, the page on which texts are tried, and the facts about the model
    that `model_facts` returns. Clients must send the token, if there is one. Needs the extra `serve` of this package.
    """
    with extra("serve", ", which serves archives"):
        from fastapi import Depends, Request, Response
        from fastapi.responses import HTMLResponse, StreamingResponse
        from fastapi.security import HTTPBearer
        from fastapi_offline import FastAPIOffline
        from starlette.exceptions import HTTPException

    described = {"title": f"nerzoo: {facts['name']}", "version": __version__, "description": DESCRIPTION}
    app = FastAPIOffline(redoc_url=None, static_url=STATIC, **described)
    app.add_middleware(Gate, limits=limits, token=token)
    batcher = Batcher(tagger, limits)
    html, policy = page()
    # `Gate` checks the token; this describes it in OpenAPI.
    secured = [] if token is None else [Depends(HTTPBearer(auto_error=False))]

    def response(content: Any, status: int = 200, headers: Optional[Dict[str, str]] = None) -> Response:
        return Response(to_json(content), status, headers, JSON)

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return response(error.content, error.status, error.headers)

    @app.exception_handler(HTTPException)
    async def not_found(request: Request, error: HTTPException) -> Response:
        message = f"found {request.method} {request.url.path}, expected what is at /openapi.json: {error.detail}"
        return response(Refusal(error.status_code, message).content, error.status_code, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return response({"error": OWN_FAULT}, 500)

    @app.post("/predict", dependencies=secured, openapi_extra=_MANY, responses=_answers(limits))
    async def predict(request: Request) -> Response:
        """Predicts an item, or several."""
        content, is_many = await _items(request, limits)
        async with in_time(limits.seconds, 504, "prediction"):
            items = await batcher.read(content)
            if JSON_LINES in request.headers.get("accept", ""):
                return StreamingResponse(_lines(batcher, items, limits), media_type=JSON_LINES)
            _refuse_first(items, is_many)
            results = [result async for portion in batcher.predict(items) for result in portion]
        _refuse_first(results, is_many)
        return response(results if is_many else results[0])

    @app.post("/draw", dependencies=secured, openapi_extra=_ONE, responses=_answers(limits))
    async def draw(request: Request) -> Response:
        """Predicts an item, and draws what the model has of attention, gates and links, as SVG."""
        content, _ = await _items(request, limits._replace(items=1))
        async with in_time(limits.seconds, 504, "prediction"):
            (item,) = await batcher.read(content)
            return response(await batcher.draw(item))

    @app.get("/model", dependencies=secured)
    async def model() -> Response:
        """Returns the facts about the model: name, labels, versions, limits, card."""
        return response(facts)

    @app.get("/health")
    async def health() -> Response:
        """Returns the status of the server, which answers predictions."""
        return response({"status": "ok"})

    @app.get("/", include_in_schema=False)
    async def try_out() -> Response:
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})

    return app


def page() -> Tuple[str, str]:
    """
    Returns the page on which texts are tried, and its policy: a browser runs only the script and the styles of the page
    and of drawings, which it knows by their hashes, and connects only to its server.
    """
    html = (files("nerzoo.deploy.server") / "page.html").read_text(encoding="utf-8")
    html = html.replace("/* palette */", PAGE_STYLE)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (script, style, STYLE)]
    script_hash, *style_hashes = (f"'sha256-{digest}'" for digest in hashes)
    policy = (
        f"default-src 'none'; script-src {script_hash}; style-src {' '.join(style_hashes)}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return html, policy


def _answers(limits: Limits) -> Dict[Union[int, str], Dict[str, Any]]:
    """Returns the answers to a request, by status, as OpenAPI describes them."""
    error = {"type": "object", "properties": {"error": {"type": "string"}, "index": {"type": "integer"}}}
    predicted = "A prediction, or an array of predictions; with Accept: application/x-ndjson one a line, as they come."
    refusals = {
        401: "Another token, or none.",
        408: f"The body did not arrive within {limits.seconds:g} s.",
        413: f"A body of more than {limits.body} bytes.",
        415: f"Another Content-Type than {JSON} and {JSON_LINES}, or a body that is compressed.",
        422: f"No items that the model takes, or more than {limits.items} of them, or of {limits.tokens} tokens.",
        429: f"{limits.requests} requests are being answered.",
        500: "The server failed.",
        504: f"No prediction within {limits.seconds:g} s.",
    }
    content = {JSON: {"schema": error}}
    return {
        200: {"description": predicted, "content": {JSON: {}, JSON_LINES: {}}},
        **{status: {"description": description, "content": content} for status, description in refusals.items()},
    }


async def _items(request: "Request", limits: Limits) -> Tuple[List[Any], bool]:
    async with in_time(limits.seconds, 408, "whole body"):
        body = await read_body(request, limits.body)
    return read_items(body, request.headers, limits.items)


def _refuse_first(items: Sequence[Union[ReadItem, Result]], is_many: bool) -> None:
    """Raises the first of the refusals among the items of a request, with its index."""
    for index, item in enumerate(items):
        if isinstance(item, Refusal):
            raise Refusal(item.status, str(item), index if is_many else None)


async def _lines(batcher: Batcher, items: Sequence[Union[ReadItem, Refusal]], limits: Limits) -> AsyncIterator[bytes]:
    """Yields the lines of an answer that is streamed: predictions, and errors in the places of those that failed."""
    index = 0
    async with aclosing(batcher.predict(items)) as portions:
        while index < len(items):
            try:
                async with in_time(limits.seconds, 504, "prediction"):
                    portion = await anext(portions)
            except Refusal as refusal:
                yield to_json({**refusal.content, "index": index})
                return
            for result in portion:
                yield to_json({**result.content, "index": index} if isinstance(result, Refusal) else result)
                index += 1

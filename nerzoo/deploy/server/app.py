"""What the page of the interface, OpenAPI, says of requests and answers."""

import base64
import hashlib
import re
from contextlib import aclosing
from importlib.resources import files
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Optional, Sequence, Tuple, Union

from nerzoo.deploy.server.batcher import Batcher, ReadItem, Result
from nerzoo.deploy.server.gate import STATIC, Gate
from nerzoo.deploy.server.limits import Limits
from nerzoo.deploy.server.requests import JSON, JSON_LINES, OWN_FAULT, Refusal, in_time, read_body, read_items, to_json
from nerzoo.errors import extra
from nerzoo.inference.tagger import Tagger
from nerzoo.reports.svg import STYLE
from nerzoo.version import __version__

DESCRIPTION = "Predictions of an archive: what `allennlp predict` takes and gives."

_ITEM = {"type": "object", "example": {"sentence": "Mara lived in Calder."}}
_LINES = {"schema": {"type": "string", "example": '{"sentence": "Mara lived in Calder."}\n'}}

ONE: Dict[str, Any] = {"requestBody": {"required": True, "content": {JSON: {"schema": _ITEM}}}}
"""The body of a request with an item."""

MANY: Dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {"schema": {"oneOf": [_ITEM, {"type": "array", "items": _ITEM}]}},
            JSON_LINES: _LINES,
        },
    }
}
"""The body of a request with an item or several."""


def answers(limits: Limits) -> Dict[Union[int, str], Dict[str, Any]]:
    """Returns the answers to a request, by status."""
    error = {"type": "object", "properties": {"error": {"type": "string"}, "index": {"type": "integer"}}}
    said: Dict[Union[int, str], str] = {
        401: "Another token, or none.",
        408: f"The body did not arrive within {limits.seconds:g} s.",
        413: f"A body of more than {limits.body} bytes.",
        415: f"Another Content-Type than {JSON} and {JSON_LINES}, or a body that is compressed.",
        422: f"No items that the model takes, or more than {limits.items} of them, or of {limits.tokens} tokens.",
        429: f"{limits.requests} requests are being answered.",
        500: "The server failed.",
        504: f"No prediction within {limits.seconds:g} s.",
    }
    refusals: Dict[Union[int, str], Dict[str, Any]] = {
        status: {"description": text, "content": {JSON: {"schema": error}}} for status, text in said.items()
    }
    predicted = "A prediction, or an array of predictions; with Accept: application/x-ndjson one a line, as they come."
    return {200: {"description": predicted, "content": {JSON: {}, JSON_LINES: {}}}, **refusals}


def page() -> Tuple[str, str]:
    """
    Returns the page on which texts are tried, and its policy: a browser runs the script and the styles that are in it,
    and those of drawings, by their hashes, and nothing else, and asks nobody but its server.
    """
    html = (files("nerzoo.deploy.server") / "page.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)} {_hash(STYLE)}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return html, policy


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request


def make_app(tagger: Tagger, facts: Dict[str, Any], limits: Limits, token: Optional[str] = None) -> "FastAPI":
    """
    Makes the application of a server: predictions, the page on which texts are tried, and what is known of the model.
    Needs the extra `serve` of this package.

    # Parameters

    tagger : `Tagger`
    facts : `Dict[str, Any]`
        What is known of the model, see `model_facts`.
    limits : `Limits`
    token : `str`, optional
        What clients must know; none is asked for by default.
    """
    with extra("serve", ", which serves archives"):
        from fastapi import Depends, Request, Response
        from fastapi.responses import HTMLResponse, StreamingResponse
        from fastapi.security import HTTPBearer
        from fastapi_offline import FastAPIOffline
        from starlette.exceptions import HTTPException

    app = FastAPIOffline(
        redoc_url=None,
        static_url=STATIC,
        title=f"nerzoo: {facts['name']}",
        version=__version__,
        description=DESCRIPTION,
    )
    app.add_middleware(Gate, limits=limits, token=token)
    batcher = Batcher(tagger, limits)
    html, policy = page()
    # `Gate` asks for it; this says so on the page of the interface.
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

    @app.post("/predict", dependencies=secured, openapi_extra=MANY, responses=answers(limits))
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

    @app.post("/draw", dependencies=secured, openapi_extra=ONE, responses=answers(limits))
    async def draw(request: Request) -> Response:
        """Predicts an item, and draws what the model has of attention, gates and links, as SVG."""
        content, _ = await _items(request, limits._replace(items=1))
        async with in_time(limits.seconds, 504, "prediction"):
            (item,) = await batcher.read(content)
            return response(await batcher.draw(item))

    @app.get("/model", dependencies=secured)
    async def model() -> Response:
        """What is known of the model: name, labels, versions, limits, card."""
        return response(facts)

    @app.get("/health")
    async def health() -> Response:
        """Whether predictions can be asked for."""
        return response({"status": "ok"})

    @app.get("/", include_in_schema=False)
    async def try_out() -> Response:
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})

    return app


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

"""Requests: limits of size and time, items in their bodies, and refusals, the answers to those without predictions."""

import asyncio
import json
import logging
import math
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Mapping, NamedTuple, Optional, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.files import JsonError, parse_json
from nerzoo.text.token_batches import BATCH_TOKENS

if TYPE_CHECKING:
    from starlette.requests import Request

_logger = logging.getLogger(__name__)

JSON, JSON_LINES = "application/json", "application/x-ndjson"
_EXPECTED = "an object that `nerzoo predict` takes, or an array of these"

LONGEST = 500
"""The maximum number of characters of a message, which may quote a whole item."""

OWN_FAULT = "the server failed; its log says why"


class Limits(NamedTuple):
    """The limits of a server."""

    body: int = 1_000_000
    """Bytes of the body of a request."""
    items: int = 1000
    """Items of a request."""
    tokens: int = 100_000
    """Tokens of all items of a request, where those in very long words count several times."""
    requests: int = 256
    """Requests that are being answered."""
    seconds: float = 30.0
    """Time for the answer to a request, or for each portion of a streamed answer."""
    batch_tokens: int = BATCH_TOKENS
    """Tokens that are predicted at a time."""
    wait: float = 0.005
    """Seconds that the first item of a batch waits for others."""


class Refusal(Exception):
    """
    The answer to a request that gets no predictions, or the error in the place of an item: the status of HTTP, a
    message, and perhaps the index of the item, from 0.
    """

    def __init__(self, status: int, message: str, index: Optional[int] = None) -> None:
        is_short = len(message) <= LONGEST
        super().__init__(message if is_short else f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}")
        self.status = status
        self.index = index

    @property
    def content(self) -> Dict[str, Any]:
        """The JSON object of the answer."""
        content: Dict[str, Any] = {"error": str(self)}
        return content if self.index is None else {**content, "index": self.index}

    @property
    def headers(self) -> Dict[str, str]:
        """The headers that HTTP requires with the status."""
        return {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "1"}}.get(self.status, {})


def to_refusal(error: Exception, is_read: bool) -> Refusal:
    """
    Turns the error of an item into a refusal. Errors that are not about the item go only into the log, since they may
    name files of the server. After an item has been read (`is_read`), other errors than `ConfigurationError` are not
    about it.
    """
    is_configuration_error = isinstance(error, ConfigurationError)
    if is_configuration_error and not isinstance(error.__cause__, (OSError, ImportError)):
        return Refusal(422, str(error))
    _logger.error("an item failed", exc_info=error)
    if is_read or is_configuration_error:
        return Refusal(500, OWN_FAULT)
    return Refusal(422, f"found an item that cannot be read ({type(error).__name__})")


@asynccontextmanager
async def in_time(seconds: float, status: int, awaited: str) -> AsyncIterator[None]:
    """Raises `Refusal` with a status where the block takes longer; `awaited` names the thing that did not arrive."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise Refusal(status, f"found no {awaited} within {seconds:g} s, expected it to be there") from None


async def read_body(request: "Request", max_bytes: int) -> bytes:
    """Returns the body of a request. Raises `Refusal` as soon as it is too large, whatever its header announces."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise Refusal(413, f"found a body of {announced} bytes, expected at most {max_bytes}")
    body = bytearray()
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "found a part of a body, expected all of it")
        body += message.get("body", b"")
        if len(body) > max_bytes:
            raise Refusal(413, f"found a body of more than {max_bytes} bytes, expected at most {max_bytes}")
        if not message.get("more_body", False):
            return bytes(body)


def read_items(body: bytes, headers: Mapping[str, str], max_items: int) -> Tuple[List[Any], bool]:
    """
    Returns the items of a request, and whether they are an array or lines, and not a single item. The names of headers
    are in lower case; `content-type` is `application/json`: an object, or an array of objects; or
    `application/x-ndjson`: an object a line. Raises `Refusal` where the body is compressed or not JSON in UTF-8, or has
    no items or too many.
    """
    content_type, encoding = headers.get("content-type", ""), headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise Refusal(415, f"found the Content-Encoding {encoding!r:.80}, expected a body as it is")
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type not in (JSON, JSON_LINES):
        raise Refusal(415, f"found the Content-Type {content_type!r:.80}, expected {JSON} or {JSON_LINES}")
    if media_type == JSON_LINES:
        lines = [line for line in body.split(b"\n") if line.strip()]
        _check_number(len(lines), max_items)
        return [_parse(line, index) for index, line in enumerate(lines)], True
    content = _parse(body)
    if isinstance(content, dict):
        return [content], False
    if not isinstance(content, list):
        raise Refusal(422, f"found {content!r:.80}, expected {_EXPECTED}")
    _check_number(len(content), max_items)
    return content, True


def _check_number(number: int, max_items: int) -> None:
    if number > max_items:
        raise Refusal(422, f"found {number} items, expected at most {max_items} in a request")
    if number == 0:
        raise Refusal(422, f"found no item, expected {_EXPECTED}")


def _parse(text: bytes, index: Optional[int] = None) -> Any:
    try:
        return parse_json(text.decode("utf-8"))
    except (JsonError, UnicodeDecodeError) as error:
        found = f"line {error.line}: {error}" if isinstance(error, JsonError) else error
        raise Refusal(422, f"found no JSON ({found}), expected {_EXPECTED}", index) from None


def to_json(value: Any) -> bytes:
    """Returns a line of JSON in ASCII, which expresses any text; NaN and infinities become null."""
    try:
        return json.dumps(value, allow_nan=False).encode() + b"\n"
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False).encode() + b"\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

"""
JSON that comes from elsewhere, read, and JSON for elsewhere, written.

What requests are read from, within the limits of size and time.
"""

import asyncio
import json
import logging
import math
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Mapping, Optional, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.formats.json_text import JsonError, parse_json

_logger = logging.getLogger(__name__)

LONGEST = 500
"""The number of characters of a message: what was found may be the whole item."""

OWN_FAULT = "the server failed; its log says why"


class Refusal(Exception):
    """
    The answer to a request that gets no predictions.

    # Parameters

    status : `int`
        Of HTTP.
    message : `str`
        What was found, and what was expected.
    index : `int`, optional
        The item that it is about, counted from 0.
    """

    def __init__(self, status: int, message: str, index: Optional[int] = None) -> None:
        super().__init__(
            message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"
        )
        self.status = status
        self.index = index

    @property
    def content(self) -> Dict[str, Any]:
        """The object that says so."""
        described: Dict[str, Any] = {"error": str(self)}
        return described if self.index is None else {**described, "index": self.index}

    @property
    def headers(self) -> Dict[str, str]:
        """The headers that HTTP wants with the status."""
        if self.status == 401:
            return {"WWW-Authenticate": "Bearer"}
        return {"Retry-After": "1"} if self.status == 429 else {}


def refusal_of(error: Exception, is_read: bool) -> Refusal:
    """
    Returns the answer to a request whose item ends in an error. What is not about the item goes into the log alone: it
    may name files of the server.

    # Parameters

    error : `Exception`
    is_read : `bool`
        Whether the item has been read before: then what is wrong with it has been said.
    """
    is_about_item = isinstance(error, ConfigurationError) and not isinstance(error.__cause__, (OSError, ImportError))
    if is_about_item:
        return Refusal(422, str(error))
    _logger.error("an item failed", exc_info=error)
    if is_read or isinstance(error, ConfigurationError):
        return Refusal(500, OWN_FAULT)
    return Refusal(422, f"found an item that cannot be read ({type(error).__name__})")


JSON, JSON_LINES = "application/json", "application/x-ndjson"
_EXPECTED = "an object that `allennlp predict` takes, or an array of these"


def read_items(body: bytes, headers: Mapping[str, str], max_items: int) -> Tuple[List[Any], bool]:
    """
    Returns the items of a request, and whether they are an array, or lines, and not one alone.

    # Parameters

    body : `bytes`
    headers : `Mapping[str, str]`
        Those of the request, by their names in lower case. Their `content-type` is `application/json`: an object, or an
        array of objects; or `application/x-ndjson`: an object a line.
    max_items : `int`

    # Raises

    `Refusal` where the body is compressed or not JSON in UTF-8, or has no items or too many.
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


def to_json(value: Any) -> bytes:
    """Returns a line of JSON in ASCII, which any text fits into; numbers that JSON does not have become null."""
    try:
        return json.dumps(value, allow_nan=False).encode() + b"\n"
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False).encode() + b"\n"


def _check_number(number: int, max_items: int) -> None:
    if number > max_items:
        raise Refusal(422, f"found {number} items, expected at most {max_items} in a request")
    if number == 0:
        raise Refusal(422, f"found no item, expected {_EXPECTED}")


def _parse(text: bytes, index: Optional[int] = None) -> Any:
    try:
        return parse_json(text.decode("utf-8"))
    except JsonError as error:
        raise Refusal(422, f"found no JSON (line {error.line}: {error}), expected {_EXPECTED}", index) from None
    except UnicodeDecodeError as error:
        raise Refusal(422, f"found no JSON ({error}), expected {_EXPECTED}", index) from None


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


if TYPE_CHECKING:
    from starlette.requests import Request


async def read_body(request: "Request", max_bytes: int) -> bytes:
    """Returns the body of a request. Raises `Refusal` as soon as it is seen to be too large, whatever it announces."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise _too_large(f"a body of {announced} bytes", max_bytes)
    body = bytearray()
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "found a part of a body, expected all of it")
        body += message.get("body", b"")
        if len(body) > max_bytes:
            raise _too_large(f"a body of more than {max_bytes} bytes", max_bytes)
        if not message.get("more_body", False):
            return bytes(body)


@asynccontextmanager
async def in_time(seconds: float, status: int, what: str) -> AsyncIterator[None]:
    """Raises `Refusal` with a status where the block takes longer; `what` is what was not there in time."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise Refusal(status, f"found no {what} within {seconds:g} s, expected it to be there") from None


def _too_large(found: str, max_bytes: int) -> Refusal:
    return Refusal(413, f"found {found}, expected at most {max_bytes}")

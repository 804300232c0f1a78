"""JSON that comes from elsewhere, read, and JSON for elsewhere, written."""

import json
import math
from typing import Any, List, Mapping, Optional, Tuple

from nerzoo.data.json_text import JsonError, parse_json
from nerzoo.serving.refusal import Refusal

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

"""JSON that comes from elsewhere, read, and JSON for elsewhere, written."""

import json
import math
import re
from typing import Any, List, Tuple

from nerzoo.serving.refusal import Refusal

JSON, JSON_LINES = "application/json", "application/x-ndjson"
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_EXPECTED = "an object that `allennlp predict` takes, or an array of these"


def read_items(body: bytes, content_type: str, max_items: int) -> Tuple[List[Any], bool]:
    """
    Returns the items of a request, and whether they are an array, or lines, and not one alone.

    # Parameters

    body : `bytes`
    content_type : `str`
        `application/json`: an object, or an array of objects; `application/x-ndjson`: an object a line.
    max_items : `int`

    # Raises

    `Refusal` where the body is not JSON in UTF-8, or has no items or too many.
    """
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


def _parse(text: bytes, index: Any = None) -> Any:
    try:
        content = json.loads(text.decode("utf-8"), parse_constant=_refuse_constant)
        if _SURROGATE.search(text):
            # Half of a pair is no character, and no text in UTF-8.
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except RecursionError:
        raise Refusal(422, f"found JSON that is nested too deep, expected {_EXPECTED}", index) from None
    # What is not UTF-8 or not JSON, integers of more digits than Python reads, and surrogates alone.
    except ValueError as error:
        raise Refusal(422, f"found no JSON ({error}), expected {_EXPECTED}", index) from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

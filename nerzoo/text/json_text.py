"""Strict parsing of untrusted JSON."""

import json
from collections import Counter
from typing import Any, Dict, List, Tuple


class JsonError(ValueError):
    """The error of a text that is not JSON, or that is refused: its message is what was found. `line` counts from 1."""

    def __init__(self, found: str, line: int = 1) -> None:
        super().__init__(found)
        self.line = line


def parse_json(text: str) -> Any:
    """
    Returns the value of a JSON text. Raises `JsonError` where it is not JSON, is nested deeper than Python's stack, or
    has an integer of more than 4,300 digits, NaN, an infinity, a key twice in an object, or half of a surrogate pair.
    """
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError(f"{error.msg} in column {error.colno}", error.lineno) from None
    except RecursionError:
        raise JsonError("JSON that is nested too deep") from None
    except ValueError:
        raise JsonError("an integer of more than 4300 digits") from None
    if "\\u" in text:
        check_surrogates(value)
    return value


def check_surrogates(value: Any) -> None:
    """Raises `JsonError` where a JSON value has a string with one half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise JsonError(f"{error.object[error.start]!r}, one half of a surrogate pair") from None


def _refuse_constant(name: str) -> None:
    raise JsonError(f"{name}, which is no number of JSON")


def _distinct(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        key = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise JsonError(f"the key {key!r} twice in an object")
    return obj

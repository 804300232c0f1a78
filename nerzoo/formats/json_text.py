"""
Parses JSON of strangers.

Reads what JSON objects of several formats have in common: ids of documents, labels, probabilities, keys.
"""

import json
import math
from collections import Counter
from difflib import get_close_matches
from typing import Any, Collection, Dict, List, Optional, Tuple

from nerzoo.errors import format_error
from nerzoo.formats.lines import Line


class JsonError(ValueError):
    """Says what was found in a text that is not JSON, or not such as can be read; `line` counts from 1."""

    def __init__(self, found: str, line: int = 1) -> None:
        super().__init__(found)
        self.line = line


def parse_json(text: str) -> Any:
    """
    Returns the value of a JSON text.

    # Raises

    `JsonError` where it is not JSON, is nested deeper than Python's stack, has an integer of more digits than Python
    takes, 4,300, NaN or an infinity, a key twice in an object, or one half of a surrogate pair, which no file can have.
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
    """Raises `JsonError` where a value, of JSON or like it, has a string with one half of a surrogate pair."""
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


# Sums of probabilities are rounded.
_ROUNDED = 1.001


def json_object(line: Line) -> Dict[str, Any]:
    """Parses a line. Raises `ConfigurationError` where it is not a JSON object, or one has a key twice."""
    try:
        obj = parse_json(line.text)
    except JsonError as error:
        raise format_error(line, str(error), "a JSON object") from None
    if not isinstance(obj, dict):
        raise format_error(line, repr(obj), "a JSON object")
    return obj


def check_keys(obj: Dict[str, Any], known: Collection[str], location: object) -> None:
    """Raises `ConfigurationError` where a key that is ignored looks like one of the known ones misspelled."""
    for key in obj.keys() - set(known):
        candidates = [name for name in known if len(key) > 3 and abs(len(key) - len(name)) <= 1]
        for close in get_close_matches(key.lower(), candidates, n=1, cutoff=0.8):
            raise format_error(location, f"the key {key!r}", f"{close!r}, or another name")


def document_id(obj: Dict[str, Any], key: str, location: object) -> Optional[str]:
    """
    Returns the id at a key of an object, or `None` where it has none. Raises `ConfigurationError` where it is neither a
    string nor a number.
    """
    id = obj.get(key)
    if id is None:
        return None
    if (
        isinstance(id, bool)
        or not isinstance(id, (str, int, float))
        or (isinstance(id, float) and not math.isfinite(id))
    ):
        raise format_error(location, f"the {key} {id!r}", "a string or a number")
    return str(id)


def is_label(value: Any) -> bool:
    """Returns whether a value is the label of an entity: a string that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_probability(value: Any) -> bool:
    """Returns whether a value is a number from 0 to 1, but for rounding."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 1 - _ROUNDED <= value <= _ROUNDED

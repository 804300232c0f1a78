"""Reads what JSON objects of several formats have in common: ids of documents, labels, probabilities, keys."""

import math
from difflib import get_close_matches
from typing import Any, Collection, Dict, Optional

from nerzoo.data.json_text import JsonError, parse_json
from nerzoo.data.lines import Line, format_error

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

"""Strict parsing of untrusted JSON, and of what JSON formats share: ids, words, labels, probabilities."""

import json
import math
from collections import Counter
from difflib import get_close_matches
from typing import Any, Collection, Dict, Iterable, Iterator, List, Optional, Tuple

from nerzoo.errors import format_error
from nerzoo.formats.lines import AnyPath, Line, read_lines


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


def json_object(line: Line) -> Dict[str, Any]:
    """Parses a line. Raises `ConfigurationError` where `parse_json` fails or the value is not an object."""
    try:
        obj = parse_json(line.text)
    except JsonError as error:
        raise format_error(line, str(error), "a JSON object") from None
    if not isinstance(obj, dict):
        raise format_error(line, repr(obj), "a JSON object")
    return obj


def json_objects(lines: Iterable[Line]) -> Iterator[Tuple[Line, Dict[str, Any]]]:
    """Yields each line that is not blank, with its JSON object. Errors as in `json_object`."""
    return ((line, json_object(line)) for line in lines if not line.is_blank)


def json_list(path: AnyPath, items: str) -> List[Any]:
    """Reads a file that is a JSON list. Raises `ConfigurationError`, which names the items, where it is not."""
    expected = f"a JSON list of {items}"
    try:
        values = parse_json("\n".join(line.text for line in read_lines(path)))
    except JsonError as error:
        raise format_error(f"{path}:{error.line}", str(error), expected) from None
    if not isinstance(values, list):
        raise format_error(path, f"JSON of type {type(values).__name__}", expected)
    return values


def check_keys(obj: Dict[str, Any], known: Collection[str], location: object) -> None:
    """Raises `ConfigurationError` where an ignored key looks like one of the known keys misspelled."""
    for key in obj.keys() - set(known):
        candidates = [name for name in known if len(key) > 3 and abs(len(key) - len(name)) <= 1]
        for close in get_close_matches(key.lower(), candidates, n=1, cutoff=0.8):
            raise format_error(location, f"the key {key!r}", f"{close!r}, or another name")


def document_id(obj: Dict[str, Any], key: str, location: object) -> Optional[str]:
    """Returns the id at a key, if any. Raises `ConfigurationError` where it is neither a string nor a finite number."""
    id = obj.get(key)
    is_number = type(id) is int or (type(id) is float and math.isfinite(id))
    if not (id is None or isinstance(id, str) or is_number):
        raise format_error(location, f"the {key} {id!r}", "a string or a number")
    return None if id is None else str(id)


def check_words(words: Any, location: object) -> List[str]:
    """Returns the words of a sentence. Raises `ConfigurationError` where a value is not a list of words."""
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise format_error(location, f"the words {words!r}", "a list of at least one string, none of them empty")
    return words


def is_label(value: Any) -> bool:
    """Returns whether a value is a label of an entity: a string that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_probability(value: Any) -> bool:
    """Returns whether a value is a number from 0 to 1. Rounded sums of probabilities may lie slightly outside."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -0.001 <= value <= 1.001

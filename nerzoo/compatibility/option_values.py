"""Whether the values of a configuration are of the types that a constructor says it takes."""

import collections.abc
import inspect
import math
import reprlib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Dict, Iterable, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, get_args, get_origin

from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.from_params import is_base_registrable

_PRIMITIVES: Dict[type, Tuple[Tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "an integer"),
    float: ((int, float), "a number"),
    str: ((str,), "a string"),
}
_LISTS = (list, tuple, set, collections.abc.Iterable, collections.abc.Sequence)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


class _Misfit(NamedTuple):
    """A value that is not of its type, with the keys below the option on which it is."""

    keys: str
    value: Any
    expected: str


def check_value(place: str, value: Any, parameter: inspect.Parameter) -> None:
    """
    Raises `ConfigurationError` where what a configuration has at a place is not of the type of the parameter that it is
    for: another kind of value, a number that is none, the name of a class that is not registered, or null where that is
    neither of the type nor the default. Types that no value of JSON has, and objects that are made already, are not
    checked.
    """
    if value is None and parameter.default is None:
        return
    misfit = _misfit(value, parameter.annotation)
    if misfit is not None:
        raise wrong_value(place + misfit.keys, misfit.value, misfit.expected)


def wrong_value(place: str, value: Any, expected: str) -> ConfigurationError:
    """Returns the error to raise for a value of a configuration."""
    plain = value.as_dict(quiet=True) if isinstance(value, Params) else value
    return ConfigurationError(
        f"found {place} = {'null' if plain is None else reprlib.repr(plain)}, expected {expected}"
    )


def nearest(name: Any, known: Sequence[str]) -> str:
    """Returns, for an error, the one of the known names that is most like the one that was found, or else all."""
    near = get_close_matches(str(name), known, n=1)
    return repr(near[0]) if near else f"one of {', '.join(sorted(known)) or '(none)'}"


def _misfit(value: Any, annotation: Any) -> Optional[_Misfit]:
    if annotation in _PRIMITIVES:
        types, expected = _PRIMITIVES[annotation]
        fits = type(value) in types and not (isinstance(value, float) and not math.isfinite(value))
        return None if fits or (annotation is str and isinstance(value, Path)) else _Misfit("", value, expected)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Union:
        return _misfit_of_union(value, arguments)
    if origin is Lazy:
        return _misfit(value, arguments[0])
    if origin in _LISTS:
        return _misfit_of_list(value, arguments)
    if origin in _OBJECTS:
        if not isinstance(value, (Mapping, Params)):
            return _Misfit("", value, "an object")
        return _first_below((key, part, arguments[1]) for key, part in value.items())
    if isinstance(annotation, type) and hasattr(annotation, "from_params"):
        return _misfit_of_class(value, annotation)
    return None


def _misfit_of_union(value: Any, annotations: Tuple[Any, ...]) -> Optional[_Misfit]:
    if value is None and type(None) in annotations:
        return None
    misfits = [_misfit(value, annotation) for annotation in annotations if annotation is not type(None)]
    found = [misfit for misfit in misfits if misfit is not None]
    if len(found) < len(misfits):
        return None
    # What is wrong inside says more than that the whole is of another type.
    inside = [misfit for misfit in found if misfit.keys]
    return inside[0] if inside else _Misfit("", value, " or ".join(misfit.expected for misfit in found))


def _misfit_of_list(value: Any, annotations: Tuple[Any, ...]) -> Optional[_Misfit]:
    if not isinstance(value, (list, tuple, set, frozenset)):
        return _Misfit("", value, "a list")
    if len(annotations) == 1 or annotations[1:] == (...,):
        annotations = annotations[:1] * len(value)
    elif len(value) != len(annotations):
        return _Misfit("", value, f"a list of {len(annotations)}")
    return _first_below((key, *pair) for key, pair in enumerate(zip(value, annotations, strict=True)))


def _misfit_of_class(value: Any, annotation: Any) -> Optional[_Misfit]:
    if value is None or isinstance(value, (bool, int, float, list)):
        return _Misfit("", value, f"an object, or the name of a type, for {annotation.__name__}")
    names = annotation.list_available() if is_base_registrable(annotation) else []
    if isinstance(value, str):
        return None if is_type(value, names) else _Misfit("", value, nearest(value, names))
    if not isinstance(value, (dict, Params)) or "type" not in value or is_type(value["type"], names):
        return None
    return _Misfit(".type", value["type"], nearest(value["type"], names))


def is_type(name: Any, names: Sequence[str]) -> bool:
    """Returns whether a class may have this name, one of the registered names, if there are any, or a path."""
    return isinstance(name, str) and (not names or name in names or "." in name)


def _first_below(parts: Iterable[Tuple[object, Any, Any]]) -> Optional[_Misfit]:
    """Returns the first misfit among parts of a value, each with its key and its type."""
    for key, part, annotation in parts:
        misfit = _misfit(part, annotation)
        if misfit is not None:
            return misfit._replace(keys=f".{key}{misfit.keys}")
    return None

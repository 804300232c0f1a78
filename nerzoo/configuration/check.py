"""
Reading of configurations, and a check before anything is built: compares keys, types of values, names of classes and
ranges of numbers with the constructors of the registered classes.
"""

import collections.abc
import inspect
import math
import os
import re
import reprlib
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Type, TypeVar, Union, get_args, get_origin

from allennlp.commands.train import TrainModel
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.from_params import FromParams, infer_params
from allennlp.common.params import parse_overrides, with_overrides

from nerzoo.allennlp_private import registered_classes
from nerzoo.configuration.sources import (
    check_options_are_read,
    evaluate,
    find_configuration,
    with_defaults,
    with_options,
)
from nerzoo.errors import in_short, nearest

_T = TypeVar("_T", bound=FromParams)

_PRIMITIVES: Dict[type, Tuple[Tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "an integer"),
    float: ((int, float), "a number"),
    str: ((str,), "a string"),
}
_LISTS = (list, tuple, set, collections.abc.Iterable, collections.abc.Sequence)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
SEEDS = ("random_seed", "numpy_seed", "pytorch_seed")
"""The keys of a configuration for the seeds of Python, NumPy and PyTorch."""
# The keys that `nerzoo train` removes from a configuration before it builds anything.
_REMOVED = {*SEEDS, "distributed", "evaluation", "include_in_archive"}
_MAX_SIZE = 2**31  # of the sizes in a model
# Names of options, each with the condition for its value and a description of it.
_RANGES = [
    (r"(\w+_)?dropout(_probability)?", lambda value: 0 <= value < 1, "a number from 0 up, below 1"),
    ("batch_size", lambda value: value >= 1, "at least 1"),
    ("lr", lambda value: value >= 0, "a number from 0 up"),
]


class _Misfit(ConfigurationError):
    """A value that does not fit its place."""

    def __init__(self, place: str, value: Any, expected: str, found: Optional[str] = None) -> None:
        shown = "null" if value is None else reprlib.repr(value)
        super().__init__(f"found {found or f'{place} = {shown}'}, expected {expected}")
        self.place, self.expected = place, expected


class UnknownTypeError(_Misfit):
    """The name of a class that is not registered, at least not yet."""


def read_configuration(
    path: Union[str, PathLike],
    overrides: Union[str, Dict[str, Any]] = "",
    ext_vars: Optional[Dict[str, Any]] = None,
    options: Optional[Mapping[str, Any]] = None,
) -> Params:
    """
    Reads a configuration as `Params.from_file` does: a Jsonnet file, or that of nerzoo with a name, with other values
    for `options`, the fields with `::` at its top, and then for any places, the `overrides`. `ext_vars` replace
    variables of the environment. Raises `ConfigurationError` where that fails.
    """
    try:
        changes = parse_overrides(overrides) if isinstance(overrides, str) else overrides
        if not isinstance(changes, dict):
            raise ConfigurationError(f"{path}: found overrides of {reprlib.repr(changes)}, expected an object")
        file = find_configuration(cached_path(path) if "://" in str(path) else path)
        if file.suffix == ".jsonnet":
            check_options_are_read(file)
        variables = with_defaults({**os.environ, **(ext_vars or {})})
        config = evaluate(file, with_options(file, options or {}, variables), variables)
        if changes and isinstance(config, dict):
            config = with_overrides(config, changes)
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: found no such file, expected a configuration") from None
    # Errors of overrides.
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        raise ConfigurationError(f"{path}: found a configuration that cannot be read ({in_short(error)})") from error
    if not isinstance(config, dict):
        raise ConfigurationError(f"{path}: found a configuration of {reprlib.repr(config)}, expected an object")
    return Params(config)


def check_training(config: Mapping[str, Any]) -> None:
    """Raises `ConfigurationError` where a configuration for `nerzoo train` does not fit its classes."""
    for name in SEEDS:
        seed = config.get(name)
        if seed is not None and not (type(seed) is int and 0 <= seed < 2**32):
            raise _Misfit(name, seed, "an integer from 0 to 2**32 - 1")
    distributed = config.get("distributed")
    if distributed is not None and not isinstance(distributed, dict):
        raise _Misfit("distributed", distributed, "an object")
    devices = (distributed or {}).get("cuda_devices", [])
    if not isinstance(devices, list) or not all(type(device) is int for device in devices):
        raise _Misfit("distributed.cuda_devices", devices, "a list of the numbers of devices")
    for name in ("data_loader", "validation_data_loader"):
        loader = config.get(name)
        options = loader if isinstance(loader, dict) else {"type": loader}
        is_default = options.get("type", "multiprocess") == "multiprocess"
        if is_default and options.get("batch_size") is options.get("batch_sampler") is None:
            raise ConfigurationError(f"found {name} without batch_size and batch_sampler, expected one of them")
    check_options(TrainModel, {key: value for key, value in config.items() if key not in _REMOVED})


def check_sections(config: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raises `ConfigurationError` where a section of a configuration for `nerzoo train` does not fit its class."""
    known = infer_params(TrainModel, TrainModel.from_partial_objects)
    for name in names:
        if config.get(name) is not None:
            _check(name, config[name], known[name].annotation)


def from_options(base: Type[_T], options: Dict[str, Any]) -> _T:
    """Builds an object of a registered class. Raises what `check_options` raises."""
    check_options(base, options)
    return base.from_params(Params(options).duplicate())


def check_options(base: Type, options: Mapping[str, Any]) -> None:
    """Checks options, and all objects in them. Raises `ConfigurationError` for the first that does not fit."""
    _check_object("", options, base)


def _check(place: str, value: Any, annotation: Any) -> None:
    """Raises `_Misfit` where a value is not of a type. Types that JSON values cannot have are not checked."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        _check_number(place, value)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _PRIMITIVES:
        types, expected = _PRIMITIVES[annotation]
        if type(value) not in types and not (annotation is str and isinstance(value, Path)):
            raise _Misfit(place, value, expected)
    elif origin is Union:
        _check_union(place, value, arguments)
    elif origin is Lazy:
        _check(place, value, arguments[0])
    elif origin in _LISTS:
        _check_list(place, value, arguments)
    elif origin in _OBJECTS:
        if not isinstance(value, Mapping):
            raise _Misfit(place, value, "an object")
        for key, part in value.items():
            _check(f"{place}.{key}", part, arguments[1])
    elif isinstance(annotation, type) and hasattr(annotation, "from_params") and not isinstance(value, annotation):
        _check_object(place, value, annotation)


def _check_number(place: str, value: float) -> None:
    if not math.isfinite(value):
        raise _Misfit(place, value, "a number")
    section, _, name = f".{place}".rpartition(".")
    for pattern, includes, expected in _RANGES:
        if re.fullmatch(pattern, name) and not includes(value):
            raise _Misfit(place, value, expected)
    if section.startswith(".model") and isinstance(value, int) and abs(value) >= _MAX_SIZE:
        raise _Misfit(place, value, f"a size below {_MAX_SIZE}")


def _check_union(place: str, value: Any, annotations: Tuple[Any, ...]) -> None:
    if value is None and type(None) in annotations:
        return
    misfits: List[_Misfit] = []
    for annotation in (a for a in annotations if a is not type(None)):
        try:
            return _check(place, value, annotation)
        except _Misfit as misfit:
            misfits.append(misfit)
    # A misfit inside the value is more precise than one of the whole value.
    inside = [misfit for misfit in misfits if misfit.place != place]
    raise inside[0] if inside else _Misfit(place, value, " or ".join(misfit.expected for misfit in misfits))


def _check_list(place: str, value: Any, annotations: Tuple[Any, ...]) -> None:
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise _Misfit(place, value, "a list")
    if len(annotations) == 1 or annotations[1:] == (...,):
        annotations = annotations[:1] * len(value)
    elif len(value) != len(annotations):
        raise _Misfit(place, value, f"a list of {len(annotations)}")
    for number, (part, annotation) in enumerate(zip(value, annotations, strict=True)):
        _check(f"{place}.{number}", part, annotation)


def _check_object(place: str, value: Any, base: Type) -> None:
    """Compares an object with the constructor of its class as `FromParams.from_params` finds it."""
    if value is None or isinstance(value, (bool, int, float, list)):
        raise _Misfit(place or base.__name__, value, f"an object, or the name of a type, for {base.__name__}")
    if not isinstance(value, (str, Mapping)):
        return
    registered = registered_classes(base)
    options = {"type": value} if isinstance(value, str) else dict(value)
    if "_pretrained" in options:
        return
    cls, maker = base, None
    if registered is not None:
        name = options.pop("type", base.default_implementation)
        found = place if isinstance(value, str) else f"{place}.type".lstrip(".")
        if name is None and "type" not in value:
            raise UnknownTypeError(found, name, nearest(None, registered), f"no {found}")
        # The path of a class, which is not imported here.
        if isinstance(name, str) and name not in registered and "." in name:
            return
        if not isinstance(name, str) or name not in registered:
            raise UnknownTypeError(found, name, nearest(name, registered))
        cls, maker = registered[name]
    if not hasattr(cls, "from_params"):
        return
    constructor = getattr(cls, maker) if maker else cls.__init__
    known = {} if constructor is object.__init__ else infer_params(cls, constructor)
    names = [name for name, parameter in known.items() if name != "self" and parameter.kind != parameter.VAR_KEYWORD]
    takes_others = _takes_others(known) and (constructor is not cls.__init__ or _takes_any(cls))
    prefix = f"{place}." if place else ""
    for key, part in options.items():
        if key in names:
            if part is not None or known[key].default is not None:
                _check(prefix + key, part, known[key].annotation)
        elif not takes_others:
            found = f"the key {prefix + key!r}, which {cls.__name__} does not know"
            raise _Misfit(prefix + key, part, nearest(key, names), found)


def _takes_any(cls: Type) -> bool:
    """Returns whether all constructors that get the `**kwargs` of a class have `**kwargs` themselves."""
    if not cls.__module__.startswith("nerzoo."):
        return True
    constructors = (vars(base)["__init__"] for base in cls.__mro__ if base is not object and "__init__" in vars(base))
    return all(_takes_others(inspect.signature(constructor).parameters) for constructor in constructors)


def _takes_others(parameters: Mapping[str, inspect.Parameter]) -> bool:
    return any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters.values())

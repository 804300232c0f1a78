"""
What is wrong with a configuration: importing this module has AllenNLP 2.10.1 say it. Keys that a class does not know
are named, with where they are and the nearest that it knows; so are values of other types, values that a constructor
does not take, and files of configurations that cannot be read.
"""

import inspect
import reprlib
from os import PathLike
from typing import Any, Callable, Dict, List, Mapping, Optional, Type, TypeVar, Union

from allennlp.common import Params, from_params
from allennlp.common import util as common_util
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides

from nerzoo.compatibility.option_values import check_value, is_type, nearest, wrong_value
from nerzoo.errors import OF_VALUES, in_short

_create_kwargs = from_params.create_kwargs


def _create_known_kwargs(constructor: Callable, cls: Type, params: Params, **extras: Any) -> Dict[str, Any]:
    known = from_params.infer_params(cls, constructor)
    names = [name for name, parameter in known.items() if name != "self" and parameter.kind != parameter.VAR_KEYWORD]
    for key in params.keys() & set(names):
        check_value(params.history + key, params.get(key), known[key])
    unknown = [key for key in params if key not in names]
    if unknown and not (_takes_others(known) and (constructor is not cls.__init__ or _takes_any(cls))):
        raise _unknown_key(params, unknown[0], cls.__name__, names)
    return _create_kwargs(constructor, cls, params, **extras)


def _unknown_key(params: Params, key: str, class_name: str, known: List[str]) -> ConfigurationError:
    found = f"the key {params.history + key!r}, which {class_name} does not know"
    return ConfigurationError(f"found {found}, expected {nearest(key, known)}")


def _takes_any(cls: Type) -> bool:
    """Returns whether no class that the constructor hands its `**kwargs` to says what it takes."""
    if not cls.__module__.startswith("nerzoo."):
        return True
    constructors = (vars(base)["__init__"] for base in cls.__mro__ if base is not object and "__init__" in vars(base))
    return all(_takes_others(inspect.signature(constructor).parameters) for constructor in constructors)


def _takes_others(parameters: Mapping[str, inspect.Parameter]) -> bool:
    return any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters.values())


# common/params.py, Params.assert_empty: `"Extra parameters passed to {}: {}"`; common/from_params.py, create_kwargs:
# `kwargs.update(params)`, which ends in a TypeError of some base class.
from_params.create_kwargs = _create_known_kwargs


def _assert_empty(self: Params, class_name: str) -> None:
    for key in self:
        raise _unknown_key(self, key, class_name, [])


# common/params.py, Params.assert_empty: for classes without a constructor, too.
Params.assert_empty = _assert_empty  # type: ignore[method-assign]


_pop_choice = Params.pop_choice


def _pop_known_choice(self: Params, key: str, choices: List[str], *args: Any, **kwargs: Any) -> Any:
    if key in self and not is_type(self[key], choices):
        raise wrong_value(self.history + key, self[key], nearest(self[key], choices))
    return _pop_choice(self, key, choices, *args, **kwargs)


# common/params.py, Params.pop_choice: names all of them, however many.
Params.pop_choice = _pop_known_choice  # type: ignore[method-assign]


_T = TypeVar("_T")
_from_params = from_params.FromParams.from_params


def _made_from_params(cls: Type[_T], params: Any, *args: Any, **extras: Any) -> _T:
    # common/lazy.py, Lazy.construct: copies the parameters, which come without their place.
    if params is not None and not isinstance(params, (str, Params)):
        found = reprlib.repr(params)
        raise ConfigurationError(f"found {found}, expected an object, or the name of a type, for {cls.__name__}")
    place = params.history.rstrip(".") if isinstance(params, Params) else ""
    try:
        return _from_params.__func__(cls, params, *args, **extras)  # type: ignore[attr-defined]
    except ConfigurationError:
        raise
    except OF_VALUES as error:
        found = f"{place or 'options'} of which no {cls.__name__} is made"
        raise ConfigurationError(f"found {found} ({type(error).__name__}: {in_short(error)})") from error


# common/from_params.py, FromParams.from_params: `return constructor_to_call(**kwargs)`, and whatever torch, Python or a
# class says of its values.
from_params.FromParams.from_params = classmethod(_made_from_params)  # type: ignore[method-assign, assignment]


def _check_distributed(value: Any) -> None:
    # commands/train.py, train_model: `distributed_params.pop`, `check_for_gpu(device_ids)`.
    if not isinstance(value, (dict, type(None))):
        raise wrong_value("distributed", value, "an object")
    devices = (value or {}).get("cuda_devices", [])
    if not isinstance(devices, list) or not all(type(device) is int for device in devices):
        raise wrong_value("distributed.cuda_devices", devices, "a list of the numbers of devices")


_from_file = Params.from_file


def _from_readable_file(
    cls: Type[Params],
    params_file: Union[str, PathLike],
    params_overrides: Union[str, Dict[str, Any]] = "",
    ext_vars: Optional[Dict[str, Any]] = None,
) -> Params:
    try:
        overrides = parse_overrides(params_overrides) if isinstance(params_overrides, str) else params_overrides
        params = _from_file.__func__(cls, params_file, params_overrides, ext_vars)  # type: ignore[attr-defined]
        for what, value in (("overrides", overrides), ("a configuration", params.params)):
            if not isinstance(value, dict):
                raise ConfigurationError(f"{params_file}: found {what} of {reprlib.repr(value)}, expected an object")
        _check_distributed(params.params.get("distributed", {}))
        return params
    except FileNotFoundError:
        raise ConfigurationError(f"{params_file}: found no such file, expected a configuration") from None
    # Jsonnet's, such as those of external variables that are not set, and those of overrides.
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"{params_file}: found a configuration that cannot be read ({in_short(error)})"
        ) from error


# common/params.py, Params.from_file: `evaluate_file(params_file, ext_vars=ext_vars)`.
Params.from_file = classmethod(_from_readable_file)  # type: ignore[assignment, method-assign]


_prepare_environment = common_util.prepare_environment


def _prepare_known_environment(params: Params) -> None:
    try:
        _prepare_environment(params)
    except OF_VALUES as error:
        found = f"seeds that are none ({in_short(error)})"
        raise ConfigurationError(f"found {found}, expected integers from 0 to 2**32 - 1") from error


# common/util.py, prepare_environment: `params.pop_int("random_seed", 13370)`, with a ValueError of Python or numpy.
common_util.prepare_environment = _prepare_known_environment

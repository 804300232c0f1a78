"""
What is wrong with a configuration: importing this module has AllenNLP 2.10.1 say it. Keys that a class does not know
are named, with where they are and the nearest that it knows; files of configurations that cannot be read, too.
"""

import inspect
from difflib import get_close_matches
from os import PathLike
from typing import Any, Callable, Dict, Mapping, Optional, Type, Union

from allennlp.common import Params, from_params
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import in_short

_create_kwargs = from_params.create_kwargs


def _create_known_kwargs(constructor: Callable, cls: Type, params: Params, **extras: Any) -> Dict[str, Any]:
    known = from_params.infer_params(cls, constructor)
    names = [name for name, parameter in known.items() if name != "self" and parameter.kind != parameter.VAR_KEYWORD]
    unknown = [key for key in params if key not in names]
    if unknown and not (_takes_others(known) and (constructor is not cls.__init__ or _takes_any(cls))):
        near = get_close_matches(unknown[0], names, n=1)
        expected = f"{near[0]!r}" if near else f"one of {', '.join(sorted(names)) or '(none)'}"
        raise ConfigurationError(
            f"found the key {params.history + unknown[0]!r}, which {cls.__name__} does not know, expected {expected}"
        )
    return _create_kwargs(constructor, cls, params, **extras)


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


_from_file = Params.from_file


def _from_readable_file(
    cls: Type[Params],
    params_file: Union[str, PathLike],
    params_overrides: Union[str, Dict[str, Any]] = "",
    ext_vars: Optional[Dict[str, Any]] = None,
) -> Params:
    try:
        return _from_file.__func__(cls, params_file, params_overrides, ext_vars)  # type: ignore[attr-defined]
    except FileNotFoundError:
        raise ConfigurationError(f"{params_file}: found no such file, expected a configuration") from None
    # Jsonnet's, such as those of external variables that are not set, and those of overrides.
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"{params_file}: found a configuration that cannot be read ({in_short(error)})"
        ) from error


# common/params.py, Params.from_file: `evaluate_file(params_file, ext_vars=ext_vars)`.
Params.from_file = classmethod(_from_readable_file)  # type: ignore[assignment, method-assign]

"""
Keys of a configuration that a class does not know: importing this module has AllenNLP 2.10.1 name them, where they are
and the nearest that the class knows.
"""

import inspect
from difflib import get_close_matches
from typing import Any, Callable, Dict, Mapping, Type

from allennlp.common import Params, from_params
from allennlp.common.checks import ConfigurationError

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

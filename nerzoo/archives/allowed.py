"""
What the configuration of an archive may name, since whoever loads it has named it, too.

Class paths as types: AllenNLP takes any callable of any module for the type of a part of a model.
"""

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Callable, FrozenSet, Iterable, Iterator, Optional, Set, Tuple, Type

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

VARIABLE = "NERZOO_ALLOW"
"""The environment variable with names, separated by commas, for all archives."""

_allowed: ContextVar[FrozenSet[str]] = ContextVar("allowed", default=frozenset())


@contextmanager
def allowing(names: Iterable[str]) -> Iterator[None]:
    """While the block runs, archives that are loaded may name these."""
    token = _allowed.set(_allowed.get() | frozenset(names))
    try:
        yield
    finally:
        _allowed.reset(token)


def allowed_names() -> FrozenSet[str]:
    """Returns what archives may name: files, addresses, models of the hub, class paths, or options that name these."""
    return _allowed.get() | frozenset(name for name in os.environ.get(VARIABLE, "").split(",") if name)


def strings(value: Any) -> Iterator[str]:
    """Yields the strings among the values of a configuration."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


_refused: Set[str] = set()
_resolve_class_name: Callable[..., Tuple[Type, Optional[str]]] = Registrable.resolve_class_name.__func__  # type: ignore[attr-defined]


def refuse(names: Iterable[str]) -> None:
    """
    Refuses from now on to call a class path among these strings, the values of the configuration of an archive: parts
    of it, such as the loader of data, are made long after the archive was loaded.
    """
    _refused.update(name for name in names if "." in name)


def resolve_registered_name(cls: Any, name: str) -> Tuple[Type, Optional[str]]:
    """
    Returns what `Registrable.resolve_class_name` does. Raises `ConfigurationError` for a class path that was refused.
    """
    if name in _refused and name not in cls.list_available():
        raise ConfigurationError(
            f"found the type {name!r} in the configuration of an archive, expected a registered name of "
            f"{cls.__name__}; if you trust it, allow it by name: {VARIABLE}={name}"
        )
    return _resolve_class_name(cls, name)

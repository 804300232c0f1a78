"""What the configuration of an archive may name, since whoever loads it has named it, too."""

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, FrozenSet, Iterable, Iterator

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

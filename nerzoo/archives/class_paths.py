"""Class paths as types: AllenNLP takes any callable of any module for the type of a part of a model."""

from typing import Any, Callable, Iterable, Optional, Set, Tuple, Type

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.archives.allowed import VARIABLE

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

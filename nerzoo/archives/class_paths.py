"""
Class paths as types. AllenNLP takes any callable of any module for the type of a part of a model: importing this module
keeps it from doing so with what the configuration of an archive says.
"""

from typing import Any, Callable, Iterable, Optional, Set, Tuple, Type

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.archives.allowed import VARIABLE

_refused: Set[str] = set()


def refuse(names: Iterable[str]) -> None:
    """
    Has no class path among these strings called from now on: parts of the configuration, such as the loader of data,
    are made long after the archive was loaded.
    """
    _refused.update(name for name in names if "." in name)


_resolve_class_name: Callable[..., Tuple[Type, Optional[str]]] = Registrable.resolve_class_name.__func__  # type: ignore[attr-defined]


def _resolve_registered_name(cls: Any, name: str) -> Tuple[Type, Optional[str]]:
    # common/registrable.py, Registrable.resolve_class_name: `module = importlib.import_module(submodule)`, and then
    # `getattr(module, class_name)` is called with what the configuration says.
    if name in _refused and name not in cls.list_available():
        raise ConfigurationError(
            f"found the type {name!r} in the configuration of an archive, expected a registered name of "
            f"{cls.__name__}; if you trust it, allow it by name: {VARIABLE}={name}"
        )
    return _resolve_class_name(cls, name)


Registrable.resolve_class_name = classmethod(_resolve_registered_name)  # type: ignore[assignment, method-assign]

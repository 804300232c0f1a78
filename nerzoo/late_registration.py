"""
Registration with AllenNLP when AllenNLP is imported, not before: `nerzoo.runtime` needs neither AllenNLP nor PyTorch,
whose imports take seconds, and importing it imports the package `nerzoo` first.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Optional, Sequence

_COMPONENTS = "nerzoo.components"
_RUNTIME = "nerzoo.runtime"


def register() -> None:
    """Registers all components of nerzoo, at once if AllenNLP is there, or else as soon as it is imported."""
    if "allennlp" in sys.modules:
        import_module(_COMPONENTS)
    else:
        sys.meta_path.insert(0, _LateRegistration())


class _LateRegistration(MetaPathFinder):
    """
    Is asked first for each module that is imported. Before the first one of AllenNLP, or of nerzoo but its runtime, it
    has everything imported and steps back.
    """

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        package = ".".join(fullname.split(".")[:2])
        if package != "allennlp" and (not package.startswith("nerzoo.") or package == _RUNTIME):
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        import_module(_COMPONENTS)
        # Among everything was the module itself, which must not be loaded a second time.
        return ModuleSpec(fullname, _Loaded()) if fullname in sys.modules else None


class _Loaded(Loader):
    """Gives the module that is there, as it is."""

    _own: Optional[ModuleSpec] = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = sys.modules[spec.name]
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own

"""
Registration with AllenNLP when AllenNLP is imported, not before: `nerzoo.runtime` needs neither AllenNLP nor PyTorch,
whose imports take seconds, and importing it imports the package `nerzoo` first.

Libraries that AllenNLP imports and few models use, loaded when something of them is used: they take longer to load than
all the rest.
"""

import gc
import importlib
import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, Dict, Iterator, Optional, Sequence

_COMPONENTS = "nerzoo.components"
_INDEPENDENT = ("nerzoo.errors", "nerzoo.runtime", "nerzoo.text")


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
        if package != "allennlp" and (not package.startswith("nerzoo.") or package in _INDEPENDENT):
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


# Each with the line of AllenNLP that imports it.
_LIBRARIES = [
    # data/image_loader.py: `import torchvision`.
    "torchvision",
    # data/data_loaders/data_collator.py imports transformers.data.data_collator, and with it the package, whose metrics
    # import scikit-learn and scipy.stats.
    "transformers.data",
    # training/metrics/auc.py: `from sklearn import metrics`.
    "sklearn",
    "sklearn.metrics",
    # training/metrics/spearman_correlation.py: `import scipy.stats as stats`.
    "scipy.stats",
    # training/metrics/evalb_bracketing_scorer.py: `from nltk import Tree`, for annotations of types.
    "nltk",
]


class _Deferred(ModuleType):
    """Stands for a module that is imported when it is first asked for something."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


@contextmanager
def deferred_imports() -> Iterator[None]:
    """
    While AllenNLP is first imported, lets libraries wait that it may never use: in their place, its modules hold
    something that imports them once they are used. All other imports, then or later, are as ever. What has been
    imported already is left alone.

    Meanwhile, there is no garbage collection, which would look through all that has been imported, again and again, and
    find nothing.
    """
    if "allennlp" in sys.modules:
        yield
        return
    deferred: Dict[str, _Deferred] = {}
    collects_garbage = gc.isenabled()
    gc.disable()
    try:
        for name in _LIBRARIES:
            if name not in sys.modules:
                deferred[name] = _put_in_place(name)
        if "nltk" in deferred:
            _load_trees(deferred)
        yield
    finally:
        if collects_garbage:
            gc.enable()
        for name, module in deferred.items():
            if sys.modules.get(name) is not module:
                continue
            # With its modules: a package does not know those that were imported before it.
            for part in [part for part in sys.modules if part == name or part.startswith(f"{name}.")]:
                del sys.modules[part]
            package, _, child = name.rpartition(".")
            if package in sys.modules and vars(sys.modules[package]).get(child) is module:
                delattr(sys.modules[package], child)


def _put_in_place(name: str) -> _Deferred:
    package, _, child = name.rpartition(".")
    if package:
        importlib.import_module(package)
    spec = find_spec(name)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    # Not run, but for its modules to be found.
    module = module_from_spec(spec)
    module.__class__ = _Deferred
    sys.modules[name] = module
    if package:
        setattr(sys.modules[package], child, module)
    return module  # type: ignore[return-value]


def _load_trees(deferred: Dict[str, _Deferred]) -> None:
    """Imports the one class of NLTK that AllenNLP asks for by name, with what that needs, or else the whole of it."""
    nltk: Any = deferred["nltk"]
    try:
        nltk.redos = importlib.import_module("nltk.redos")
        nltk.Tree = importlib.import_module("nltk.tree").Tree
    except ImportError:
        del deferred["nltk"]
        for name in [name for name in sys.modules if name.partition(".")[0] == "nltk"]:
            del sys.modules[name]
        importlib.import_module("nltk")

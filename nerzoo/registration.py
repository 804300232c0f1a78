"""
Late imports, which make nerzoo start fast. Its components are registered when AllenNLP is imported, since
`nerzoo.runtime` needs neither AllenNLP nor PyTorch. Libraries that few models use are imported when they are used.
"""

import gc
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, Dict, Iterator, Optional, Sequence

from nerzoo.errors import needs_training
from nerzoo_torch import supply_names

_COMPONENTS = "nerzoo.components"
INDEPENDENT = ("__main__", "errors", "files", "overview", "runtime", "text", "version", "zoo")
"""The modules that need neither AllenNLP nor PyTorch."""


def register() -> None:
    """Registers all components of nerzoo: now if AllenNLP has been imported, or else when it is imported."""
    # PyTorch does it unless nerzoo is not installed but imported from its folder.
    supply_names()
    if "allennlp" in sys.modules:
        import_module(_COMPONENTS)
    else:
        sys.meta_path.insert(0, _LateRegistration())


class _LateRegistration(MetaPathFinder, Loader):
    """Waits in `sys.meta_path` until AllenNLP is imported or needed. Then it imports all components."""

    _own: Optional[ModuleSpec] = None

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        package, module_name, *_ = [*fullname.split("."), ""]
        if not (fullname == "allennlp" or (package == "nerzoo" and module_name and module_name not in INDEPENDENT)):
            return None
        if package == "allennlp" and PathFinder.find_spec(package) is None:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        with needs_training(fullname):
            import_module(_COMPONENTS)
        # The components may have imported the module already. Then it is returned unchanged, not loaded a second time.
        # importlib uses the `__spec__` of such a module in place of the spec that is returned.
        module = sys.modules.get(fullname)
        if module is None:
            return None
        self._own, module.__spec__ = module.__spec__, ModuleSpec(fullname, self)
        return module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return sys.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own


# Each with the line of AllenNLP that imports it.
_LIBRARIES = [
    # data/image_loader.py: `import torchvision`.
    "torchvision",
    # modules/transformer/activation_layer.py imports `ACT2FN` of it, and with it all that models are built of.
    "transformers.models.bert.modeling_bert",
    # training/optimizers.py imports transformers.optimization, whose trainer_utils.py imports two classes of it.
    "peft",
    # training/metrics/auc.py: `from sklearn import metrics`.
    "sklearn",
    "sklearn.metrics",
    # training/metrics/spearman_correlation.py: `import scipy.stats as stats`.
    "scipy.stats",
    # training/metrics/evalb_bracketing_scorer.py: `from nltk import Tree`, for annotations of types.
    "nltk",
]


# Names that AllenNLP or transformers imports from these modules when it starts, and uses later.
_NAMES = [
    ("transformers.models.bert.modeling_bert", "ACT2FN"),
    ("peft", "PeftMixedModel"),
    ("peft", "PeftModel"),
]


@dataclass(frozen=True)
class _LateName:
    """A table or a class of a module, which is imported when the name is used."""

    module: str
    name: str

    def __getitem__(self, key: Any) -> Any:
        return getattr(import_module(self.module), self.name)[key]

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, getattr(import_module(self.module), self.name))


class _Deferred(ModuleType):
    """A placeholder for a module, which is imported when one of its attributes is first used."""

    def __getattr__(self, name: str) -> Any:
        # `from module import name` looks for the path of a package.
        if name == "__path__":
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


@contextmanager
def deferred_imports() -> Iterator[None]:
    """
    Surrounds the first import of AllenNLP: its modules get placeholders for those of the libraries above that have not
    been imported. Other imports are as usual. The garbage collector pauses, since it would search the growing number of
    imported objects repeatedly and find nothing.
    """
    if "allennlp" in sys.modules:
        yield
        return
    deferred: Dict[str, _Deferred] = {}
    collects_garbage = gc.isenabled()
    gc.disable()
    try:
        for name in _LIBRARIES:
            # PEFT may be missing; if another library is, AllenNLP says so.
            spec = None if name in sys.modules else find_spec(name)
            if spec is not None:
                deferred[name] = _placeholder(spec)
        if "nltk" in deferred:
            _load_trees(deferred)
        for module_name, name in _NAMES:
            if module_name in deferred:
                setattr(deferred[module_name], name, _LateName(module_name, name))
        yield
    finally:
        if collects_garbage:
            gc.enable()
        for name, module in deferred.items():
            if sys.modules.get(name) is not module:
                continue
            # Also its submodules: a package that is imported later would not know them.
            for part in [part for part in sys.modules if part == name or part.startswith(f"{name}.")]:
                del sys.modules[part]
            package, _, child = name.rpartition(".")
            if package in sys.modules and vars(sys.modules[package]).get(child) is module:
                delattr(sys.modules[package], child)


def _placeholder(spec: ModuleSpec) -> _Deferred:
    package, _, child = spec.name.rpartition(".")
    # The module is not executed. Its spec lets submodules be found.
    module = module_from_spec(spec)
    module.__class__ = _Deferred
    sys.modules[spec.name] = module
    if package:
        setattr(sys.modules[package], child, module)
    return module  # type: ignore[return-value]


def _load_trees(deferred: Dict[str, _Deferred]) -> None:
    """Imports `nltk.Tree`, which AllenNLP imports by name, without the rest of NLTK, or all of NLTK if that fails."""
    nltk: Any = deferred["nltk"]
    try:
        nltk.redos = import_module("nltk.redos")
        nltk.Tree = import_module("nltk.tree").Tree
    except ImportError:
        del deferred["nltk"]
        for name in [name for name in sys.modules if name.partition(".")[0] == "nltk"]:
            del sys.modules[name]
        import_module("nltk")

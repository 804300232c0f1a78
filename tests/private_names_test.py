"""A module of nerzoo touches its own private names; `allennlp_private` touches those of AllenNLP, too."""

import ast

import pytest
from helpers.paths import ROOT

MODULES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "nerzoo").rglob("*.py"))
# The documented interface of named tuples.
OF_NAMED_TUPLES = {"_asdict", "_replace", "_make", "_fields", "_field_defaults"}


def is_private(name):
    return name.startswith("_") and not name.endswith("__") and name not in OF_NAMED_TUPLES


def is_own(value):
    """Whether the object is `self`, `cls` or `super()`."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "super"
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def private_names(source):
    """Lines and names of everything private that the source takes from somewhere else."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and not is_own(node.value):
            yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("attr"):
            # getattr, hasattr, setattr, delattr
            names = [argument.value for argument in node.args[1:2] if isinstance(argument, ast.Constant)]
            yield from ((node.lineno, name) for name in names if is_private(name) and not is_own(node.args[0]))


@pytest.mark.parametrize("path", MODULES)
def test_only_allennlp_private_touches_private_names_of_others(path):
    found = [f"{path}:{line}: {name}" for line, name in private_names((ROOT / path).read_text(encoding="utf-8"))]
    assert path == "nerzoo/allennlp_private.py" or not found


@pytest.mark.parametrize(
    "source, name",
    [
        ("vocab._oov_token", "vocab._oov_token"),
        ("self.trainer._epochs_completed = 1", "self.trainer._epochs_completed"),
        ("from allennlp.training import _Wrapper", "_Wrapper"),
        ("getattr(indexer, '_feature_name', None)", "_feature_name"),
        ("other.model()._device", "other.model()._device"),
    ],
)
def test_a_private_name_is_found(source, name):
    assert list(private_names(source)) == [(1, name)]


@pytest.mark.parametrize(
    "source", ["self._size", "cls._table", "super()._read(x)", "entity._replace(end=2)", "_levels(x)", "x.__class__"]
)
def test_an_own_or_a_public_name_is_not(source):
    assert not list(private_names(source))

"""Every module of nerzoo can be the first that a program imports."""

import ast
import json
import os
import subprocess
import sys

import pytest
from helpers.forked import LIBRARIES, run_forked
from helpers.imports import imported_modules, source_files
from helpers.paths import ROOT
from helpers.processes import run_in_new_processes
from setuptools.config.setupcfg import read_configuration

import nerzoo

FILES = source_files(ROOT / "nerzoo")


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def tracebacks(root, names, folder):
    """Of the modules that cannot be imported first and alone, see `helpers/import_alone.py`."""
    path = folder / "tracebacks.json"
    program = (
        "from pathlib import Path\n"
        "from helpers.import_alone import write_tracebacks\n"
        f"write_tracebacks(Path({str(root)!r}), {names}, Path({str(path)!r}))\n"
    )
    assert run_forked(LIBRARIES, [program]) == [""]
    return json.loads(path.read_text())


def test_every_module_can_be_imported_first_and_alone(tmp_path):
    """
    There is no circle of imports: a module on a circle, imported first, comes back to itself half-made, whatever order
    the packages' `__init__` has that works by chance. Nor does a module need what another import has registered.
    """
    failed = tracebacks(ROOT, [module_name(path) for path in FILES], tmp_path)
    assert not failed, "\n".join(failed.values())


def test_a_folder_of_the_same_name_does_not_hide_the_package(tmp_path):
    """A script may lie beside a clone of the repository."""
    (tmp_path / "nerzoo").mkdir()
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", "import nerzoo; nerzoo.Tagger"], cwd=tmp_path, env=variables, check=True)


def test_a_circle_is_found(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    # Hides the circle: from a to b and back, a is already there.
    (package / "__init__.py").write_text("import package.b\nfrom package.b import B\n")
    (package / "a.py").write_text("import json\nfrom package.b import B\nclass A: pass\n")
    (package / "b.py").write_text("class B: pass\nfrom package.a import A\n")
    (package / "c.py").write_text("from package import B\n")
    failed = tracebacks(tmp_path, ["package", "package.a", "package.b", "package.c"], tmp_path)
    assert set(failed) == {"package.a", "package.c"}
    assert "cannot import name 'A' from partially initialized module 'package.a'" in failed["package.a"]


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_no_function_imports_a_module_of_the_package(path):
    assert not [name for name, is_local in imported_modules(path) if is_local and name.startswith("nerzoo")]


def test_the_distribution_has_the_version_of_the_package():
    assert read_configuration(ROOT / "setup.cfg")["metadata"]["version"] == nerzoo.__version__


def registers(path):
    """Whether a module registers a class under a name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Attribute)
        and decorator.func.attr == "register"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
    )


def write_imported(rank, path):
    path.write_text("\n".join(sys.modules))


def test_importing_nerzoo_registers_everything(tmp_path):
    """No list of imports in an `__init__` leaves out a module that registers a name."""
    path = tmp_path / "imported"
    # It has imported nerzoo, and no module of it by itself.
    run_in_new_processes(write_imported, (path,))
    expected = {module_name(path) for path in FILES if registers(path)}
    assert len(expected) > 50
    assert not expected - set(path.read_text().split())

"""
The import of each module of a package first and alone.

The process has already loaded the libraries below the package, because they are slow to load. Before each import it
forgets all imported modules of the package, and everything that they have registered. Empty modules replace the parent
packages of the module: their `__init__` would import all registered classes, so that the module would be neither first
nor alone.
"""

import gc
import importlib
import json
import sys
import traceback
import types

from allennlp.common import Registrable
from helpers.imports import imported_modules, source_files


def traceback_of_import(root, name):
    """Returns the traceback, or `None` if the import succeeds."""
    package, *parents = name.split(".")[:-1] or [name]
    registered = {base: dict(names) for base, names in Registrable._registry.items()}
    try:
        for end in range(len(parents) + 1):
            module = types.ModuleType(".".join([package, *parents[:end]]))
            module.__path__ = [str(root.joinpath(package, *parents[:end]))]
            sys.modules[module.__name__] = module
        if name == package:
            del sys.modules[package]
        importlib.import_module(name)
        return None
    except Exception:
        return traceback.format_exc()
    finally:
        # Restores the state for the next module.
        for imported in [imported for imported in sys.modules if imported.partition(".")[0] == package]:
            del sys.modules[imported]
        Registrable._registry.clear()
        Registrable._registry.update(registered)


def write_tracebacks(root, names, output):
    """Writes the tracebacks of modules that fail as JSON, by module. `root` is the folder with their package."""
    sys.path.insert(0, str(root))
    package = names[0].partition(".")[0]
    for path in source_files(root / package):
        for name, is_local in imported_modules(path):
            if not is_local and name.partition(".")[0] != package:
                importlib.import_module(name)
    assert package not in sys.modules
    gc.freeze()
    found = {name: traceback_of_import(root, name) for name in names}
    output.write_text(json.dumps({name: trace for name, trace in found.items() if trace}))

"""
    python import_alone.py ROOT MODULE ...

Imports each module first and alone, and prints as JSON the tracebacks of those that cannot be, by module. ROOT is the
folder that has the package.

Each import happens in a child of its own, forked from a process that has loaded the libraries below the package, which
take their time, and nothing of the package. The child has empty modules in place of the packages that the module is in:
with their `__init__`, which imports all that is registered, it would be neither first nor alone.
"""

import importlib
import json
import multiprocessing
import sys
import traceback
import types
from pathlib import Path

from helpers.imports import imported_modules, source_files


def traceback_of_import(root, name):
    """The traceback, or `None` where the import succeeds."""
    *packages, _ = name.split(".")
    for end in range(1, len(packages) + 1):
        package = types.ModuleType(".".join(packages[:end]))
        package.__path__ = [str(root.joinpath(*packages[:end]))]
        sys.modules[package.__name__] = package
    try:
        importlib.import_module(name)
    except Exception:
        return traceback.format_exc()
    return None


def main(root, names):
    package = names[0].partition(".")[0]
    for path in source_files(root / package):
        for name, is_local in imported_modules(path):
            if not is_local and name.partition(".")[0] != package:
                importlib.import_module(name)
    assert package not in sys.modules
    # A child for each task.
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        found = pool.starmap(traceback_of_import, [(root, name) for name in names], chunksize=1)
    print(json.dumps({name: trace for name, trace in zip(names, found, strict=True) if trace is not None}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

import os
from pathlib import Path

from filelock import FileLock


def once(name, make):
    """
    Returns the path that `make(folder)` returns. The first process that calls it makes the folder for all processes.
    """
    folder = Path(os.environ["NERZOO_TESTS"], name)
    with FileLock(f"{folder}.lock"):
        path = folder.with_suffix(".path")
        if not path.exists():
            path.write_text(str(make(folder)))
        return Path(path.read_text())

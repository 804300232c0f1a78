"""Archives opened for reading, with bounds on what is read of them."""

import gzip
import os
import pickle
import tarfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Optional, Set

MAX_HEADER = 2**20
"""The number of bytes that what describes a member has at most."""
MAX_MEMBERS = 10_000
"""The number of files and folders that an archive has at most."""
MAX_UNPACKED = 2**30
"""The number of bytes that an archive of any size may unpack to."""
MAX_RATIO = 20
"""How many times its own bytes a larger archive may unpack to. Weights are compressed to nine tenths."""
VARIABLE = "NERZOO_MAX_UNPACKED"
"""The environment variable with another limit in bytes."""

UNREADABLE = (
    OSError,
    EOFError,
    tarfile.TarError,
    zlib.error,
    pickle.UnpicklingError,
    RuntimeError,
    KeyError,
    TypeError,
    ValueError,
)
"""What is raised where a file is not the archive of a model."""


class _BoundedGzipFile(gzip.GzipFile):
    """Of members tarfile reads little at a time; of what describes them as much as that claims to have."""

    def read(self, size: Optional[int] = -1) -> bytes:
        if size is None or not 0 <= size <= MAX_HEADER:
            raise tarfile.ReadError(f"a header of {size} bytes, expected at most {MAX_HEADER}, tar_reader.MAX_HEADER")
        return super().read(size)


class TarReader:
    """
    The members of an archive: files and folders inside of it, each once.

    # Parameters

    file : `tarfile.TarFile`
    limit : `int`
        The number of bytes that the members may have together.
    """

    def __init__(self, file: tarfile.TarFile, limit: int) -> None:
        self.file = file
        self._limit = limit

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        """
        Yields the members. Raises `tarfile.TarError` at the first that is something else, is one of more than
        `MAX_MEMBERS`, or would take more bytes than there may be; before anything of it is read.
        """
        names: Set[Path] = set()
        unpacked = 0
        for member in self.file:
            name = f"the member {member.name[:100]!r}"
            if not (member.isreg() or member.isdir()):
                raise tarfile.ExtractError(f"{name}, which is neither a file nor a folder")
            path = Path(member.name)
            if path.is_absolute() or ".." in path.parts:
                raise tarfile.ExtractError(f"{name}, which is outside of the archive")
            if path in names:
                raise tarfile.ExtractError(f"{name} twice")
            names.add(path)
            unpacked += member.size
            if len(names) > MAX_MEMBERS:
                raise tarfile.ExtractError(f"more than {MAX_MEMBERS} members, tar_reader.MAX_MEMBERS")
            if unpacked > self._limit:
                raise tarfile.ExtractError(
                    f"{name}, with which it unpacks to {unpacked} bytes, expected at most {self._limit}, which "
                    f"{VARIABLE} may change"
                )
            yield member


@contextmanager
def opened(path: Path) -> Iterator[TarReader]:
    """Opens an archive. Raises `tarfile.TarError` and others of `UNREADABLE` where it is none."""
    given = os.environ.get(VARIABLE)
    limit = int(given) if given else max(MAX_UNPACKED, MAX_RATIO * os.path.getsize(path))
    with _BoundedGzipFile(path) as unzipped, tarfile.open(fileobj=unzipped, mode="r:") as file:
        yield TarReader(file, limit)

"""
Archives opened for reading, with bounds on what is read of them.

What an archive holds: its parts, and its configuration as plain JSON.

Where an archive is: a path, a URL, a repository of the hub.
"""

import gzip
import json
import os
import pickle
import tarfile
import zlib
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Any, Dict, Iterator, List, Optional, Set, Union

import cached_path as libraries_cached_path
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import CACHE_DIRECTORY
from allennlp.models.archival import CONFIG_NAME, META_NAME

from nerzoo.archives import checksums
from nerzoo.archives.weights import weights_path

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


ARCHIVE_NAME = "model.tar.gz"
CALIBRATION_NAME = "calibration.json"
"""What `allennlp calibrate` says of what it has fitted, in archives that it has written."""
EXPECTED = "an archive of a model: model.tar.gz, or a folder with config.json, weights and vocabulary"
MAX_CONFIG = 2**24
"""The number of bytes that a configuration has at most."""


def parts(folder: Path) -> List[Path]:
    """Returns what loading needs of a folder, and what it reads if it is there."""
    needed = [folder / CONFIG_NAME, weights_path(folder), folder / "vocabulary"]
    others = (folder / META_NAME, folder / CALIBRATION_NAME)
    return needed + [path for path in others if path.exists()]


def check_folder(archive: Union[str, PathLike], folder: Path) -> None:
    """
    Raises `ConfigurationError` where a part of an archive is missing in a folder, is no file, or has changed since
    nerzoo wrote it with its checksum.
    """
    found = parts(folder)
    missing = [part.name for part in found if not part.exists()]
    if missing:
        raise ConfigurationError(f"{archive}: found no {', '.join(missing)} in it, expected {EXPECTED}")
    vocabulary = folder / "vocabulary"
    files = [part for part in found if part != vocabulary]
    # A pipe would be waited for, without an end.
    others = [path for path in files + list(vocabulary.glob("*")) if not path.is_file()]
    if others or not vocabulary.is_dir():
        name = (others or [vocabulary])[0].relative_to(folder)
        raise ConfigurationError(f"{archive}: found {name} as something else than a file, expected {EXPECTED}")
    checksums.verify(archive, folder)


def write_checksums(folder: Path) -> None:
    """Writes the checksums of what loading reads of a folder into it."""
    checksums.write(folder, parts(folder))


def read_config(archive: Union[str, PathLike], path: Path) -> Dict[str, Any]:
    """
    Returns the configuration in an archive, whose file or folder is at a path, as it is there, without evaluating
    anything. Raises `ConfigurationError` where there is none, or it is not JSON.
    """
    try:
        if path.is_dir():
            return read_json(path / CONFIG_NAME)
        with opened(path) as reader:
            # What `allennlp train` packs first.
            member = next((member for member in reader if Path(member.name) == Path(CONFIG_NAME)), None)
            content = None if member is None else reader.file.extractfile(member)
            if member is None or content is None:
                raise ValueError(f"no {CONFIG_NAME}")
            return _parsed(content, member.size)
    except UNREADABLE as error:
        found = f"no configuration of a model ({error})"
        raise ConfigurationError(f"{archive}: found {found}, expected {EXPECTED}") from None


def read_json(path: Path) -> Dict[str, Any]:
    """Returns the object in a file. Raises `ValueError` or `OSError` where there is none."""
    if not path.is_file():
        raise ValueError(f"no file {path.name}")
    return _parsed(path.open("rb"), path.stat().st_size)


def _parsed(file: IO[bytes], size: int) -> Dict[str, Any]:
    if size > MAX_CONFIG:
        raise ValueError(f"{CONFIG_NAME} has {size} bytes, expected at most {MAX_CONFIG}, parts.MAX_CONFIG")
    with file:
        # Not at once, as it would look like the header of a member.
        text = b"".join(iter(lambda: file.read(2**16), b""))
    config = json.loads(text)
    if not isinstance(config, dict):
        raise ValueError(f"{CONFIG_NAME} is not an object")
    return config


def find(archive: Union[str, PathLike]) -> Path:
    """
    Returns the path of an archive, a file or a folder, after downloading it where it is elsewhere. Raises
    `ConfigurationError` where there is none, or a folder lacks a part of one.
    """
    try:
        path = Path(libraries_cached_path.cached_path(archive, cache_dir=CACHE_DIRECTORY, quiet=True))
    # Errors of files, of connections and of the hub, and addresses that are none.
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{archive}: found nothing there ({error}), expected {EXPECTED}") from error
    if path.is_dir() and (path / ARCHIVE_NAME).exists() and not (path / CONFIG_NAME).exists():
        path = path / ARCHIVE_NAME
    if path.is_dir():
        check_folder(archive, path)
    elif not path.is_file():
        raise ConfigurationError(f"{archive}: found something else than a file there, expected {EXPECTED}")
    return path

"""
The checksums of what is in an archive, in a file of their own, which `sha256sum --check` reads, too. They find what was
damaged on its way; whoever changes an archive on purpose changes them as well.
"""

import hashlib
from os import PathLike
from pathlib import Path
from typing import Dict, Iterable, Iterator, Tuple, Union

from allennlp.common.checks import ConfigurationError

CHECKSUMS_NAME = "checksums.sha256"


def digest(path: Path) -> str:
    """Returns the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checksum_lines(digests: Dict[str, str]) -> str:
    """Returns the content of the file: a line a file, by its name."""
    return "".join(f"{value}  {name}\n" for name, value in sorted(digests.items()))


def files_below(paths: Iterable[Path], folder: Path) -> Iterator[Tuple[str, Path]]:
    """Yields the files among some paths and in the folders among them, with their names in a folder."""
    for path in paths:
        if path.is_dir():
            yield from files_below(sorted(path.iterdir()), folder)
        else:
            yield path.relative_to(folder).as_posix(), path


def write(folder: Path, paths: Iterable[Path]) -> None:
    """Writes the checksums of files in a folder, and of those in folders in it, into it."""
    digests = {name: digest(path) for name, path in files_below(paths, folder)}
    (folder / CHECKSUMS_NAME).write_text(checksum_lines(digests), encoding="utf-8")


def verify(archive: Union[str, PathLike], folder: Path) -> None:
    """
    Raises `ConfigurationError` where a folder has checksums and a file that they name is missing or another one.
    Archives that others than nerzoo have written, and folders of trainings, have none.
    """
    path = folder / CHECKSUMS_NAME
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        expected, _, name = line.partition("  ")
        part = folder / name
        # Nothing outside is read, whatever the line says.
        is_inside = part.is_file() and ".." not in part.parts and not Path(name).is_absolute()
        found = digest(part) if is_inside else "no file"
        if found != expected:
            raise ConfigurationError(
                f"{archive}: found {name[:100]!r} with the SHA-256 {found[:12]}, expected {expected[:12]}, as "
                f"{CHECKSUMS_NAME} has it: the archive was damaged; whoever has changed it on purpose removes that file"
            )

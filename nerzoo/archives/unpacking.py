"""Archives unpacked into a folder."""

import shutil
import tempfile
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Dict, Iterator, Union

from allennlp.common.checks import ConfigurationError

from nerzoo.archives.parts import EXPECTED, UNREADABLE, check_folder, find, opened, parts

unpacked: Dict[str, str] = {}
"""The archives of the folders that they were unpacked into, for errors."""


@contextmanager
def extracted_archive(resolved_archive_file: Union[str, PathLike], cleanup: bool = True) -> Iterator[str]:
    """Unpacks an archive as `allennlp.models.archival.extracted_archive` does, with the bounds of `TarReader`."""
    folder = tempfile.mkdtemp()
    try:
        extract(resolved_archive_file, Path(resolved_archive_file), Path(folder))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    unpacked[folder] = str(resolved_archive_file)
    try:
        yield folder
    finally:
        if cleanup:
            shutil.rmtree(folder, ignore_errors=True)


def unpack(archive: Union[str, PathLike], folder: Path) -> None:
    """
    Unpacks an archive into a folder, or copies what loading needs of an archive that is a folder itself. Raises
    `ConfigurationError` where there is none, or a part of it is missing, or it is not what `tar_reader.opened` takes.
    """
    path = find(archive)
    if path.is_dir():
        for part in parts(path):
            if part.is_dir():
                shutil.copytree(part, folder / part.name)
            else:
                shutil.copy(part, folder)
        return
    extract(archive, path, folder)
    check_folder(archive, folder)


def extract(archive: Union[str, PathLike], path: Path, folder: Path) -> None:
    """Unpacks the members of the file of an archive into a folder, whatever they are."""
    try:
        with opened(path) as reader:
            for member in reader:
                reader.file.extract(member, folder, filter="data")
    except UNREADABLE as error:
        found = f"an archive that cannot be read ({error})"
        raise ConfigurationError(f"{archive}: found {found}, expected {EXPECTED}") from error

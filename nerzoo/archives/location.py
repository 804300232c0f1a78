"""Where an archive is: a path, a URL, a repository of the hub."""

from os import PathLike
from pathlib import Path
from typing import Union

import cached_path as libraries_cached_path
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import CACHE_DIRECTORY
from allennlp.models.archival import CONFIG_NAME

from nerzoo.archives.parts import ARCHIVE_NAME, EXPECTED, check_folder


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

"""What an archive holds: its parts, and its configuration as plain JSON."""

import json
from os import PathLike
from pathlib import Path
from typing import IO, Any, Dict, List, Union

from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import CONFIG_NAME, META_NAME

from nerzoo.archives import checksums
from nerzoo.archives.tar_reader import UNREADABLE, opened
from nerzoo.archives.weights import weights_path

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

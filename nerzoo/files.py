"""Files that a command writes whole or not at all."""

import io
import json
import os
import tarfile
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.models.archival import CONFIG_NAME


def check_is_new(path: Union[str, PathLike]) -> None:
    """Raises `ConfigurationError` where there is something at the path of an output."""
    if Path(path).exists():
        raise ConfigurationError(f"{path}: found an output that exists, expected the path of a new one")


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON, all or nothing, so that a file that exists is whole."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Writes text, all or nothing, so that a file that exists is whole."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, path)


def copy_archive(archive_file: str, output_file: str, config: Dict[str, Any]) -> None:
    """
    Writes a copy of a model's archive with another configuration.

    # Parameters

    archive_file : `str`
        A path or a URL.
    output_file : `str`
        A path where there is no file yet.
    config : `Dict[str, Any]`
        The configuration of the copy.
    """
    content = json.dumps(config, indent=2).encode()
    with tarfile.open(cached_path(archive_file)) as source, tarfile.open(output_file, "x:gz") as target:
        for member in source:
            file = source.extractfile(member) if member.isfile() else None
            if member.name == CONFIG_NAME:
                member.size, file = len(content), io.BytesIO(content)
            target.addfile(member, file)

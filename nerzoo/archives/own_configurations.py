"""
The configurations of models that were trained by this user on this machine. What they name, such as the vectors of a
transformer, the user has named, so that nobody has to allow it when the archive is loaded.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict

from allennlp.common.file_utils import CACHE_ROOT

PATH = Path(CACHE_ROOT) / "nerzoo-own-configurations"
"""A file with the SHA-256 of each, beside AllenNLP's cache."""


def remember(config: Dict[str, Any]) -> None:
    """Takes a configuration for the user's own from now on, as far as there is a place to write that down."""
    if is_own(config):
        return
    with suppress(OSError):
        PATH.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(PATH, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, f"{_digest(config)}\n".encode())
        finally:
            os.close(descriptor)


def is_own(config: Dict[str, Any]) -> bool:
    """Returns whether a model with this configuration was trained here."""
    try:
        return _digest(config) in PATH.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return False


def _digest(config: Dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()

import hashlib
import json
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Union

SETTINGS = "settings.json"
EMISSIONS = "emissions.onnx"
TRANSITIONS = "transitions.npy"
CHECKSUMS = "checksums.sha256"
FORMAT = 2
"""The number of the format, which grows with each change that makes other releases misread a folder."""

_EXPECTED = "a folder that `allennlp export-onnx` has made"


class ModelFolder:
    """
    The folder of an exported tagger: `settings.json`, which says how words are indexed and tags are read;
    `emissions.onnx`; `transitions.npy`; vocabularies and tables of vectors, by the names of the inputs of the graph;
    and `checksums.sha256` of all of these, which `sha256sum --check` reads, too.

    # Parameters

    path : `Union[str, PathLike]`

    # Raises

    `ValueError` where there is no such folder, it is of another format, or a file in it is missing or was damaged.
    """

    def __init__(self, path: Union[str, PathLike]) -> None:
        self.path = Path(path)
        settings = self.read_json(SETTINGS)
        found = settings.get("format") if isinstance(settings, dict) else None
        if found != FORMAT:
            raise ValueError(
                f"{self.path / SETTINGS}: found the format {found!r}, expected {FORMAT}, which this release of nerzoo "
                "reads; export the model again"
            )
        self.settings: Dict[str, Any] = settings
        for line in self._read(CHECKSUMS).decode(errors="replace").splitlines():
            checksum, _, name = line.partition("  ")
            with self._open(name) as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != checksum:
                raise ValueError(f"{self.path / name}: found another content than was exported, see {CHECKSUMS}")

    def read_json(self, name: str) -> Any:
        """Returns the value in a JSON file of the folder. Raises `ValueError` where there is none."""
        content = self._read(name)
        try:
            return json.loads(content)
        except ValueError as error:
            raise ValueError(f"{self.path / name}: found no JSON ({error}), expected {_EXPECTED}") from error

    def _read(self, name: str) -> bytes:
        with self._open(name) as file:
            return file.read()

    def _open(self, name: str) -> BufferedReader:
        try:
            return open(self.path / name, "rb")
        except OSError as error:
            raise ValueError(
                f"{self.path / name}: found no file that can be read ({error.strerror}), expected {_EXPECTED}"
            ) from error

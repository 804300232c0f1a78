import json
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List

from allennlp.common.checks import ConfigurationError

_MARK = "nerzoo_tag"
_BEGINNING = b'{"nerzoo_tag"'


class Journal:
    """
    A file of what a run has predicted so far: a line that says which run it is, and a JSON object a line for each item.
    However the run ends, its lines up to the last line end are whole, and another run goes on after them.

    # Parameters

    path : `Path`
    settings : `Dict[str, Any]`
        What a run that goes on must have in common with the one before.
    """

    def __init__(self, path: Path, settings: Dict[str, Any]) -> None:
        self.path = path
        self._header = json.dumps({_MARK: settings}).encode() + b"\n"
        self._settings = settings
        self._file = -1
        self._size = 0

    def is_ours(self) -> bool:
        """Whether a file is a journal, and not something else of the same name."""
        with self.path.open("rb") as file:
            beginning = file.read(len(_BEGINNING))
        # The run may have ended in the middle of its first line.
        return _BEGINNING.startswith(beginning)

    def start(self) -> None:
        """Begins a new journal. Raises `ConfigurationError` where there is no room for it."""
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        self._size = 0
        self._write(self._header)

    def resume(self) -> int:
        """
        Goes on with a journal after its last whole line.

        # Returns

        `int`
            The number of items that it has.

        # Raises

        `ConfigurationError` where it is of another run.
        """
        num_lines = size = 0
        with self.path.open("rb") as file:
            header = file.readline()
            if header.endswith(b"\n"):
                self._check(header)
                size = len(header)
            for line in file:
                if line.endswith(b"\n"):
                    num_lines += 1
                    size += len(line)
        if size == 0:
            self.start()
            return 0
        self._file = os.open(self.path, os.O_WRONLY)
        os.ftruncate(self._file, size)
        os.lseek(self._file, size, os.SEEK_SET)
        self._size = size
        return num_lines

    def append(self, entries: List[Dict[str, Any]]) -> None:
        """Adds entries. Raises `ConfigurationError` where they cannot be written; then none of them is there."""
        self._write(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))

    def entries(self) -> Iterator[Dict[str, Any]]:
        """Yields all entries."""
        with self.path.open("rb") as file:
            file.readline()
            yield from map(json.loads, file)

    def close(self) -> None:
        """Closes the file, which stays."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _check(self, header: bytes) -> None:
        try:
            before = json.loads(header)[_MARK]
        except (ValueError, KeyError, TypeError):
            raise ConfigurationError(f"{self.path}: found another file, expected that of an interrupted run") from None
        for name, value in self._settings.items():
            if before.get(name) != value:
                raise ConfigurationError(
                    f"{self.path}: found a run with the {name} {before.get(name)!r}, expected the {name} {value!r} of "
                    "the run that is to go on; --force starts anew"
                )

    def _write(self, content: bytes) -> None:
        try:
            written = 0
            while written < len(content):
                written += os.write(self._file, content[written:])
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
            raise ConfigurationError(
                f"{self.path}: {error.strerror}; its lines are whole, and the same command with --resume goes on after "
                "them"
            ) from error
        self._size += len(content)

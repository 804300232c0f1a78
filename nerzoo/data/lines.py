"""Reads the lines of text files, and reports errors in them."""

import gzip
import re
from itertools import groupby
from os import PathLike
from typing import Iterable, Iterator, List, NamedTuple, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path

_GZIP_MAGIC = b"\x1f\x8b"


class Line(NamedTuple):
    """A line without its line end. Its string is its location: `file:line`, and the sentence's id if it has one."""

    path: str
    number: int
    text: str
    sentence_id: Optional[str] = None

    @property
    def is_blank(self) -> bool:
        """Whether the line has only spaces and tabs. Other kinds of white space do occur as words."""
        return not self.text.strip(" \t")

    def __str__(self) -> str:
        sentence = f" (sentence {self.sentence_id})" if self.sentence_id else ""
        return f"{self.path}:{self.number}{sentence}"


def format_error(location: object, found: str, expected: str) -> ConfigurationError:
    """Returns the error to raise where a file is not in its format. `location` is a `Line`, a path or any name."""
    return ConfigurationError(f"{location}: found {found}, expected {expected}")


def read_lines(path: Union[str, PathLike]) -> Iterator[Line]:
    """
    Yields the lines of a UTF-8 file: plain or gzipped, at a local path or a URL, with Unix or Windows line ends, and
    with or without a byte order mark.

    # Raises

    `ConfigurationError` where bytes are not UTF-8, lines end in a carriage return alone, or one after the first begins
    with a byte order mark, as where files were joined.
    """
    with open(cached_path(path), "rb") as file:
        # Not by the suffix, which the cached copy of a URL does not have.
        is_gzipped = file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
        for number, line in enumerate(gzip.GzipFile(fileobj=file) if is_gzipped else file, start=1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                found = f"the byte 0x{line[error.start]:02x} as byte {error.start + 1} of the line"
                raise format_error(Line(str(path), number, ""), found, "UTF-8") from None
            found_line = Line(str(path), number, text.rstrip("\r\n"))
            if "\r" in found_line.text:
                raise format_error(found_line, "a carriage return in a line", "Unix or Windows line ends")
            if found_line.text.startswith("\ufeff"):
                raise format_error(found_line, "a byte order mark", "none after the first line")
            yield found_line


def blocks(lines: Iterable[Line]) -> Iterator[List[Line]]:
    """Yields the runs of lines between blank lines."""
    for is_blank, group in groupby(lines, key=lambda line: line.is_blank):
        if not is_blank:
            yield list(group)


def split_columns(lines: List[Line], separator: Optional[str] = None) -> List[List[str]]:
    """
    Splits each line into its cells, at the separator, or at any spaces and tabs.

    # Raises

    `ConfigurationError` where a line has another number of columns than the first line.
    """
    if separator is None:
        rows = [re.split("[ \t]+", line.text.strip(" \t")) for line in lines]
    else:
        rows = [line.text.split(separator) for line in lines]
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(rows[0]):
            expected = f"{len(rows[0])} as in the first line of the sentence"
            raise format_error(line, f"{len(row)} columns", expected)
    return rows

"""The lines of a text file, and what is wrong with them."""

import gzip
import re
from itertools import groupby
from os import PathLike
from typing import Iterable, Iterator, List, NamedTuple, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path

_GZIP_MAGIC = b"\x1f\x8b"


class Line(NamedTuple):
    """A line without its end; as a string, its place: `file:line`, and the sentence's id if it has one."""

    path: str
    number: int
    text: str
    sentence_id: Optional[str] = None

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but spaces and tabs: other kinds of white space do occur as words."""
        return not self.text.strip(" \t")

    def __str__(self) -> str:
        sentence = f" (sentence {self.sentence_id})" if self.sentence_id else ""
        return f"{self.path}:{self.number}{sentence}"


def format_error(where: object, found: str, expected: str) -> ConfigurationError:
    """The error to raise for what is not in its corpus's format. `where` is a `Line`, or names a place."""
    return ConfigurationError(f"{where}: found {found}, expected {expected}")


def read_lines(path: Union[str, PathLike]) -> Iterator[Line]:
    """
    The lines of a UTF-8 file: plain or gzipped, a local path or a URL, ended in the Unix or Windows way, with or
    without a BOM.

    # Raises

    `ConfigurationError` where bytes are not UTF-8.
    """
    with open(cached_path(path), "rb") as file:
        # By content: the cached copy of a URL has no suffix that could tell.
        is_gzipped = file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
        for number, line in enumerate(gzip.GzipFile(fileobj=file) if is_gzipped else file, start=1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                found = f"the byte 0x{line[error.start]:02x} as byte {error.start + 1} of the line"
                raise format_error(Line(str(path), number, ""), found, "UTF-8") from None
            yield Line(str(path), number, text.rstrip("\r\n"))


def blocks(lines: Iterable[Line]) -> Iterator[List[Line]]:
    """The runs of lines between blank ones."""
    for is_blank, group in groupby(lines, key=lambda line: line.is_blank):
        if not is_blank:
            yield list(group)


def split_columns(lines: List[Line], separator: Optional[str] = None) -> List[List[str]]:
    """
    The cells of each line, which are between separators, or between any spaces and tabs.

    # Raises

    `ConfigurationError` if not all lines have as many columns as the first one.
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

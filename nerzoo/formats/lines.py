"""Reads untrusted text: the lines of files, each with its place for error messages, and JSON in them."""

import gzip
import lzma
import math
import re
import tarfile
import zipfile
import zlib
from difflib import get_close_matches
from functools import partial
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, Collection, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from allennlp.common.file_utils import cached_path

from nerzoo.errors import format_error
from nerzoo.files import JsonError, parse_json

AnyPath = Union[str, PathLike]
MAX_LINE = 2**26
"""The largest number of bytes of a line."""
MAX_RATIO = 200
"""The largest ratio of unpacked to packed bytes of a gzipped file. Annotated text has a ratio of about ten."""
MAX_RUN = 20_000
"""The largest number of characters without white space in a text that is to be split into words."""
MAX_SYMBOLS = 1_000
"""The largest number of consecutive symbols in such a text."""
SCHEMES = ("https", "http", "hf", "s3", "gs")
"""The schemes of URLs from which data is read."""
UNREADABLE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)
"""The errors of damaged files and archives."""

_SMALL = 2**22
_SYMBOLS = re.compile(rf"[^\w\s]{{{MAX_SYMBOLS + 1}}}")


class Line(NamedTuple):
    """A line without its line end. Its string is its location: `file:line`, and the sentence's id if it has one."""

    path: str
    number: int
    text: str
    sentence_id: Optional[str] = None

    @property
    def is_blank(self) -> bool:
        """`True` if the line has only spaces and tabs. Other kinds of white space do occur as words."""
        return not self.text.strip(" \t")

    def __str__(self) -> str:
        sentence = f" (sentence {self.sentence_id})" if self.sentence_id else ""
        return f"{self.path}:{self.number}{sentence}"


def read_lines(path: AnyPath) -> Iterator[Line]:
    """
    Yields the lines of a UTF-8 file: plain or gzipped, at a local path or a URL of one of `SCHEMES`, with Unix or
    Windows line ends, and with or without a byte order mark. Raises `ConfigurationError` where it cannot be read or
    unpacked, exceeds `MAX_RATIO` or `MAX_LINE`, is not UTF-8, or has a carriage return or a byte order mark elsewhere.
    """
    number, size, checked = 0, 0, _SMALL
    try:
        with open(local_path(path), "rb") as file:
            # Not by the suffix, which the cached copy of a URL does not have.
            is_gzipped = file.peek(2).startswith(b"\x1f\x8b")
            read = gzip.GzipFile(fileobj=file).readline if is_gzipped else file.readline
            for number, line in enumerate(iter(partial(read, MAX_LINE + 1), b""), start=1):
                size += len(line)
                if is_gzipped and size > checked:
                    if size > MAX_RATIO * file.tell():
                        expected = f"at most lines.MAX_RATIO, {MAX_RATIO}, or the file unpacked"
                        raise format_error(path, f"a gzipped file of more than {MAX_RATIO} times its bytes", expected)
                    checked += _SMALL
                yield _line(path, number, line)
    except EOFError:
        raise format_error(f"{path}:{number}", "the end of a gzipped file that was cut off", "all of it") from None
    except (OSError, zlib.error) as error:
        found = f"a file that cannot be read ({error})"
        raise format_error(path, found, "a text, plain or gzipped, that may be read") from error


def check_runs(text: str, location: object) -> None:
    """Raises `ConfigurationError` where a text exceeds `MAX_RUN` or `MAX_SYMBOLS`: spaCy's tokenizer is quadratic."""
    if _SYMBOLS.search(text):
        found = f"a text of more than {MAX_SYMBOLS} symbols without letters and white space"
        raise format_error(location, found, f"at most lines.MAX_SYMBOLS, {MAX_SYMBOLS}")
    if len(text) > MAX_RUN and max(map(len, text.split()), default=0) > MAX_RUN:
        expected = f"at most lines.MAX_RUN, {MAX_RUN}"
        raise format_error(location, f"a text of more than {MAX_RUN} characters without white space", expected)


def local_path(path: AnyPath, extract_archive: bool = False) -> str:
    """Returns the path of a file, after a download of a URL. Raises `ConfigurationError` where it cannot be read."""
    scheme, is_url, _ = str(path).partition("://")
    if is_url and scheme not in SCHEMES:
        raise format_error(path, f"a URL of the scheme {scheme!r}", f"a file, or one of {', '.join(SCHEMES)}")
    try:
        return cached_path(path, extract_archive=extract_archive)
    except FileNotFoundError:
        raise format_error(path, "no such file", "one") from None
    # Errors of connections, of the hub and of archives, and malformed addresses.
    except UNREADABLE as error:
        raise format_error(path, f"nothing that can be read ({error})", "a file") from error


def folder_files(folder: AnyPath, pattern: str) -> List[Path]:
    """Returns the files in and below a folder, in order. Raises `ConfigurationError` where there is none."""
    files = sorted(filter(Path.is_file, Path(folder).rglob(pattern)))
    if not files:
        raise format_error(folder, "a folder without such files", f"at least one {pattern} file")
    return files


def _line(path: AnyPath, number: int, line: bytes) -> Line:
    if len(line) > MAX_LINE:
        raise format_error(f"{path}:{number}", f"a line of more than {MAX_LINE} bytes", "at most lines.MAX_LINE")
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
    return found_line


def blocks(lines: Iterable[Line]) -> Iterator[List[Line]]:
    """Yields the runs of lines between blank lines."""
    for is_blank, group in groupby(lines, key=lambda line: line.is_blank):
        if not is_blank:
            yield list(group)


def split_columns(lines: List[Line], separator: Optional[str] = None, min_columns: int = 1) -> List[List[str]]:
    """Splits lines, at white space by default. Raises `ConfigurationError` where numbers of columns do not fit."""
    if separator is None:
        rows = [re.split("[ \t]+", line.text.strip(" \t")) for line in lines]
    else:
        rows = [line.text.split(separator) for line in lines]
    if rows and len(rows[0]) < min_columns:
        raise format_error(lines[0], f"{len(rows[0])} columns", f"at least {min_columns}")
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(rows[0]):
            raise format_error(line, f"{len(row)} columns", f"{len(rows[0])} as in the first line of the sentence")
    return rows


def json_object(line: Line) -> Dict[str, Any]:
    """Parses a line. Raises `ConfigurationError` where `parse_json` fails or the value is not an object."""
    try:
        obj = parse_json(line.text)
    except JsonError as error:
        raise format_error(line, str(error), "a JSON object") from None
    if not isinstance(obj, dict):
        raise format_error(line, repr(obj), "a JSON object")
    return obj


def json_objects(lines: Iterable[Line]) -> Iterator[Tuple[Line, Dict[str, Any]]]:
    """Yields each line that is not blank, with its JSON object. Errors as in `json_object`."""
    return ((line, json_object(line)) for line in lines if not line.is_blank)


def json_list(path: AnyPath, items: str) -> List[Any]:
    """Reads a file that is a JSON list. Raises `ConfigurationError`, which names the items, where it is not."""
    expected = f"a JSON list of {items}"
    try:
        values = parse_json("\n".join(line.text for line in read_lines(path)))
    except JsonError as error:
        raise format_error(f"{path}:{error.line}", str(error), expected) from None
    if not isinstance(values, list):
        raise format_error(path, f"JSON of type {type(values).__name__}", expected)
    return values


def check_keys(obj: Dict[str, Any], known: Collection[str], location: object) -> None:
    """Raises `ConfigurationError` where an ignored key looks like one of the known keys misspelled."""
    for key in obj.keys() - set(known):
        candidates = [name for name in known if len(key) > 3 and abs(len(key) - len(name)) <= 1]
        for close in get_close_matches(key.lower(), candidates, n=1, cutoff=0.8):
            raise format_error(location, f"the key {key!r}", f"{close!r}, or another name")


def document_id(obj: Dict[str, Any], key: str, location: object) -> Optional[str]:
    """Returns the id at a key, if any. Raises `ConfigurationError` where it is neither a string nor a finite number."""
    id = obj.get(key)
    is_number = type(id) is int or (type(id) is float and math.isfinite(id))
    if not (id is None or isinstance(id, str) or is_number):
        raise format_error(location, f"the {key} {id!r}", "a string or a number")
    return None if id is None else str(id)


def check_words(words: Any, location: object) -> List[str]:
    """Returns the words of a sentence. Raises `ConfigurationError` where a value is not a list of words."""
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise format_error(location, f"the words {words!r}", "a list of at least one string, none of them empty")
    return words


def is_label(value: Any) -> bool:
    """Returns whether a value is a label of an entity: a string that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_probability(value: Any) -> bool:
    """Returns whether a value is a number from 0 to 1. Rounded sums of probabilities may lie slightly outside."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -0.001 <= value <= 1.001


def vector_size(path: AnyPath) -> int:
    """Returns the number of values of a vector in a file of word vectors. Raises `ConfigurationError` for another."""
    first = next((line for line in read_lines(path) if len(line.text.split()) > 2), None)
    if first is None:
        raise format_error(path, "no word vectors", "a line for each word: the word and its numbers")
    return len(first.text.split()) - 1

"""
Files of word vectors, whose numbers are parsed once: a table of them, beside AllenNLP's cache, replaces the text from
the second reading on. It has all 32 bits of a number, so that models are the same with and without it.
"""

import hashlib
import logging
import os
import shutil
import time
from pathlib import Path
from typing import Iterable, Iterator, List, NamedTuple, Optional, Tuple

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import CACHE_ROOT
from allennlp.common.util import lazy_groups_of
from filelock import FileLock
from numpy.typing import NDArray

from nerzoo.archives import CHECKSUMS_NAME, write_checksums
from nerzoo.files import digest, folder_written_whole
from nerzoo.formats.lines import UNREADABLE, AnyPath, Line, local_path, read_lines, vector_size

TABLES = Path(CACHE_ROOT) / "nerzoo-word-vectors"
"""The folder of the tables, beside AllenNLP's cache. Each file has one. It may be removed while no training starts."""

_WORDS, _VECTORS = "words.txt", "vectors.float32"
_LINES_AT_A_TIME = 4096
# The coarsest clock of a file system, FAT's, does not tell two changes within two seconds apart.
_SECONDS_AT_REST = 2

_logger = logging.getLogger(__name__)


class WordTable(NamedTuple):
    """The N words of a file, in its order, and their vectors (N, D). Where a line has other numbers, they are NaN."""

    words: List[str]
    vectors: NDArray[numpy.float32]


def vector_lines(path: AnyPath) -> Iterator[Line]:
    """
    Yields the lines of a file but the first if it has two numbers, as word2vec writes it. Raises the errors of
    `read_lines`.
    """
    for line in read_lines(path):
        word, _, numbers = line.text.partition(" ")
        if not (line.number == 1 and numbers.strip().isdecimal() and word.isdecimal()):
            yield line


def parsed_lines(lines: Iterable[Line], size: int) -> Iterator[Tuple[List[Line], NDArray[numpy.float32]]]:
    """Yields groups of N lines with their numbers (N, `size`), NaN for a line without `size` finite numbers."""
    for group in lazy_groups_of(lines, _LINES_AT_A_TIME):
        yield group, _parsed(group, size)


def read_table(path: AnyPath) -> Optional[WordTable]:
    """
    Returns the words and vectors of a file, mapped into memory, and writes their table before if there is none. `None`
    where no table can be kept: the file has to be read as text, which raises what is wrong with it.
    """
    table = _table(path, _WORDS, _VECTORS)
    if table is None:
        return None
    # No word has a space.
    words = (table / _WORDS).read_text(encoding="utf-8").replace(" ", "").split("\n")[:-1]
    vectors = numpy.asarray(numpy.memmap(table / _VECTORS, numpy.float32, mode="c"))
    return WordTable(words, vectors.reshape(len(words), -1))


def word_list(path: AnyPath) -> str:
    """
    Returns the path of a file that AllenNLP reads the same words from: a file of the table, which has no numbers, or
    the same path where no table can be kept.
    """
    table = _table(path, _WORDS)
    return str(path if table is None else table / _WORDS)


def _table(path: AnyPath, *names: str) -> Optional[Path]:
    """Returns the folder of the table of a file, of which it checks some files, or `None` where it cannot be kept."""
    try:
        file = Path(local_path(path)).resolve()
        status = file.stat()
        if time.time() - status.st_mtime < _SECONDS_AT_REST:
            return None
        folder = TABLES / f"{file.name[:50]}-{hashlib.sha256(os.fsencode(file)).hexdigest()[:16]}"
        # A program can set the time of the last change back, but not that of the change of the status.
        table = folder / f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_ino}"
        if not _is_whole(table, names):
            folder.mkdir(parents=True, exist_ok=True)
            # While another process writes the table, this one reads the text.
            with FileLock(folder / "lock", timeout=0):
                if not _is_whole(table, names):
                    for other in filter(Path.is_dir, folder.iterdir()):
                        shutil.rmtree(other)
                    _write(path, table)
        return table
    except (OSError, NotImplementedError) as error:
        # FileLock raises NotImplementedError on a file system without locks.
        _logger.warning("%s: no table of its vectors is kept, and its text is read (%s)", path, error)
    except (ConfigurationError, *UNREADABLE):
        # The caller reads the text, which raises the error if it needs the line.
        pass
    return None


def _is_whole(table: Path, names: Iterable[str]) -> bool:
    try:
        checksums = (table / CHECKSUMS_NAME).read_text(encoding="utf-8").splitlines()
        return {f"{digest(table / name)}  {name}" for name in names} <= set(checksums)
    except (OSError, UnicodeDecodeError):
        return False


def _write(path: AnyPath, table: Path) -> None:
    size = vector_size(path)
    with folder_written_whole(table) as unfinished:
        words, vectors = unfinished / _WORDS, unfinished / _VECTORS
        with words.open("w", encoding="utf-8", newline="\n") as word_file, vectors.open("wb") as vector_file:
            for lines, numbers in parsed_lines(_common_lines(path), size):
                # Each word with the space behind it, without which AllenNLP skips the line.
                word_file.writelines("".join(line.text.partition(" ")[:2]) + "\n" for line in lines)
                vector_file.write(numbers.data)
        write_checksums(unfinished, [words, vectors])


def _common_lines(path: AnyPath) -> Iterator[Line]:
    """Yields the lines with vectors. Raises `ValueError` where AllenNLP reads others, from an archive for example."""
    # AllenNLP's embeddings import its vocabulary, which imports this module.
    from allennlp.modules.token_embedders.embedding import EmbeddingsTextFile

    with EmbeddingsTextFile(str(path)) as texts:
        for line, text in zip(vector_lines(path), texts, strict=True):
            if line.text != text.rstrip("\r\n"):
                raise ValueError(f"{line}: AllenNLP reads another text")
            yield line


def _parsed(lines: List[Line], size: int) -> NDArray[numpy.float32]:
    # NumPy would skip a line without numbers, and is faster for many lines at once.
    numbers = [line.text.rstrip(" ").partition(" ")[2] or "none" for line in lines]
    try:
        vectors = numpy.loadtxt(numbers, dtype=numpy.float32, comments=None, delimiter=" ", ndmin=2)
    except ValueError:
        vectors = numpy.empty((0, 0), dtype=numpy.float32)
    if vectors.shape == (len(lines), size) and numpy.isfinite(vectors).all():
        return vectors
    if len(lines) == 1:
        return numpy.full((1, size), numpy.nan, dtype=numpy.float32)
    return numpy.concatenate([_parsed([line], size) for line in lines])

"""Files of word vectors that AllenNLP reads."""

import lzma
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from typing import Iterator

from nerzoo.data.lines import format_error

_UNREADABLE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)


@contextmanager
def reading_word_vectors(path: object) -> Iterator[None]:
    """
    Within the block, AllenNLP reads a file of word vectors. Raises `ConfigurationError`, without what the file has in
    it, where there is none, it cannot be read, or has lines that are not a word and its numbers.
    """
    try:
        yield
    except FileNotFoundError:
        raise format_error(path, "no such file", "word vectors") from None
    # AllenNLP asks for a first line.
    except StopIteration:
        raise format_error(path, "nothing", "word vectors") from None
    except _UNREADABLE as error:
        found = f"word vectors that cannot be read ({type(error).__name__})"
        raise format_error(path, found, "a word and its numbers in each line, in UTF-8, plain or compressed") from None

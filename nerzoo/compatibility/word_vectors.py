"""
Files of word vectors that cannot be read: importing this module has AllenNLP 2.10.1 say so, by their names and without
what is in them.
"""

import functools
import zlib
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from allennlp.modules.token_embedders.embedding import EmbeddingsTextFile

_UNREADABLE = (UnicodeDecodeError, OSError, EOFError, zlib.error)
_init, _open, _next = Embedding.__init__, EmbeddingsTextFile.__init__, EmbeddingsTextFile.__next__


@functools.wraps(_init)
def _embedding(self: Embedding, *args: Any, **kwargs: Any) -> None:
    try:
        _init(self, *args, **kwargs)
    # numpy's, of what is no number, and AllenNLP's and h5py's.
    except (ValueError, TypeError, OSError, KeyError, RuntimeError) as error:
        path = kwargs.get("pretrained_file")
        if path is None:
            raise
        found = f"word vectors that cannot be read ({type(error).__name__})"
        raise ConfigurationError(f"{path}: found {found}, expected a word and its numbers in each line") from None


@functools.wraps(_open)
def _opened(self: EmbeddingsTextFile, file_uri: str, *args: Any, **kwargs: Any) -> None:
    try:
        _open(self, file_uri, *args, **kwargs)
    except FileNotFoundError:
        raise ConfigurationError(f"{file_uri}: found no such file, expected word vectors") from None
    # It reads the first line.
    except (StopIteration, *_UNREADABLE) as error:
        raise _unreadable(file_uri, error) from None


@functools.wraps(_next)
def _decoded(self: EmbeddingsTextFile) -> str:
    try:
        return _next(self)
    except _UNREADABLE as error:
        raise _unreadable(self.uri, error) from None


def _unreadable(path: object, error: Exception) -> ConfigurationError:
    found = "nothing" if isinstance(error, StopIteration) else f"a file that cannot be read ({type(error).__name__})"
    return ConfigurationError(f"{path}: found {found}, expected word vectors in UTF-8, plain or compressed")


# modules/token_embedders/embedding.py, Embedding.__init__: `numpy.asarray(fields[1:], dtype="float32")`;
# EmbeddingsTextFile: `cached_path(main_file_uri)`, and `next(self._iterator)`.
Embedding.__init__ = _embedding  # type: ignore[method-assign]
EmbeddingsTextFile.__init__ = _opened  # type: ignore[method-assign]
EmbeddingsTextFile.__next__ = _decoded  # type: ignore[method-assign]

import logging
from os import PathLike
from typing import Iterator, Set, Union

from allennlp.common import Registrable

from nerzoo.data.annotation import Document

logger = logging.getLogger(__name__)


class Corpus(Registrable):
    """
    The base class of file formats: turns a file into documents. Only its subclass knows a format.
    """

    def read(self, path: Union[str, PathLike]) -> Iterator[Document]:
        """
        Yields the documents of a file.

        # Parameters

        path : `Union[str, PathLike]`
            A local path or a URL; the file may be gzipped.

        # Raises

        `ConfigurationError` where the file is not in the format; it names the file, the line, what was found and what
        was expected.
        """
        raise NotImplementedError


def repeats_counted(path: Union[str, PathLike], documents: Iterator[Document]) -> Iterator[Document]:
    """Yields the documents of a file, and says at the end how many of them have the id of one before."""
    seen: Set[str] = set()
    num_repeated = 0
    for document in documents:
        if document.id is not None:
            num_repeated += document.id in seen
            seen.add(document.id)
        yield document
    if num_repeated:
        logger.warning("%s: found %d documents with the id of one before, read as further ones", path, num_repeated)

from os import PathLike
from typing import Iterator, Union

from allennlp.common import Registrable

from nerzoo.data.annotation import Document


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

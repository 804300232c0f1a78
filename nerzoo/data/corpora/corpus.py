from os import PathLike
from typing import Iterator, Union

from allennlp.common import Registrable

from nerzoo.data.annotation import Document


class Corpus(Registrable):
    """
    A file format: turns a file into documents of sentences. Everything that is known of a format is in its subclass.
    """

    def read(self, path: Union[str, PathLike]) -> Iterator[Document]:
        """
        The documents of the file at `path`: plain or gzipped, a local path or a URL.

        Raises `ConfigurationError`, naming file, line, what was found and what was expected, where the file is not in
        the corpus's format.
        """
        raise NotImplementedError

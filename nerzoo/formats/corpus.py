import logging
from collections import Counter
from itertools import chain, groupby, islice
from os import PathLike
from typing import Iterator, List, Optional, Set, Union

from allennlp.common import Registrable

from nerzoo.errors import format_error
from nerzoo.formats.lines import Line, blocks, read_lines
from nerzoo.text.annotation import Document, Sentence

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


logger = logging.getLogger(__name__)


class TextCorpus(Corpus):
    """
    The base class of line-based formats: one word per line, a blank line after each sentence, and marker lines that
    separate documents. Line-based formats of another structure override `_documents`. Documents without an id are
    numbered, from 1 in each file.
    """

    _marker: str
    """The beginning of marker lines, for `_is_marker`."""

    def read(self, path: Union[str, PathLike]) -> Iterator[Document]:
        skipped: Counter = Counter()
        documents = self._documents(read_lines(path), skipped)
        beginning = list(islice(documents, 2))
        # A marker line separates even a single document from an empty one.
        has_bounds = len(beginning) == 2
        number = 0
        with_sentences = (document for document in chain(beginning, documents) if document.sentences)
        for number, document in enumerate(repeats_counted(path, with_sentences), start=1):
            if has_bounds and document.id is None:
                document.id = str(number)
            yield document
        if number == 0:
            raise format_error(path, "no sentence", "at least one")
        if skipped:
            logger.info("%s: skipped %s", path, ", ".join(f"{count} {what}" for what, count in sorted(skipped.items())))

    def _documents(self, lines: Iterator[Line], skipped: Counter) -> Iterator[Document]:
        """Yields the documents, empty ones too. Counts in `skipped`, by their description, what it leaves out."""
        document = Document()
        for is_marker, group in groupby(lines, key=self._is_marker):
            if is_marker:
                yield document
                *_, id = map(self._document_id, group)
                document = Document(id)
            else:
                document.sentences.extend(map(self._sentence, blocks(group)))
        yield document

    def _is_marker(self, line: Line) -> bool:
        """Returns whether a line separates documents."""
        return line.text.startswith(self._marker)

    def _document_id(self, marker: Line) -> Optional[str]:
        """Returns the id of the document that follows a marker line."""
        return None

    def _sentence(self, lines: List[Line]) -> Sentence:
        """Returns the sentence in `lines`, none of which is blank."""
        raise NotImplementedError

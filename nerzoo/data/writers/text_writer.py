from pathlib import Path

from nerzoo.data.annotation import Document
from nerzoo.data.writers.annotation_writer import AnnotationWriter


class TextWriter(AnnotationWriter):
    """
    The base class of output formats that are a text file in UTF-8, in which documents follow one another: the file is
    the `beginning`, the `text` of each document, with the `separator` between them, and the `end`.
    """

    beginning: str = ""
    separator: str = ""
    end: str = ""

    def text(self, document: Document) -> str:
        """Returns the text of a document; counts losses and raises errors as `write` does."""
        self._count_losses(document)
        return self._text(document)

    def close(self) -> None:
        if not self._file.closed:
            self._file.write(self.end)
            self._file.close()

    def _open(self, path: Path) -> None:
        self._file = path.open("x", encoding="utf-8", newline="\n")
        self._file.write(self.beginning)
        self._is_first = True

    def _write(self, document: Document) -> None:
        self._file.write(("" if self._is_first else self.separator) + self._text(document))
        self._is_first = False

    def _text(self, document: Document) -> str:
        raise NotImplementedError

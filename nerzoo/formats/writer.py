"""What documents have that an output format may be unable to express."""

import re
from collections import Counter
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import FrozenSet, Iterable, Optional, Type, Union

from allennlp.common import Registrable

from nerzoo.files import check_is_new, written_whole
from nerzoo.text.annotation import Document
from nerzoo.text.tag_schemes import layers

DOCUMENT_BOUNDS = "documents' bounds"
DOCUMENT_IDS = "documents' ids"
OFFSETS = "documents' offsets in characters"
WORDS = "sentences' bounds and words"
SPACES = "sentences' spaces"
PARTS_OF_SPEECH = "sentences' parts of speech"
TREES = "sentences' trees"
WORD_LABELS = "sentences' labels of words"
NESTED_ENTITIES = "nested entities"
PROBABILITIES = "entities' probabilities"

ANNOTATED_WORDS = frozenset([DOCUMENT_BOUNDS, DOCUMENT_IDS, WORDS, SPACES, PARTS_OF_SPEECH, TREES])
"""What a format expresses that has documents, words and all that a treebank says of them."""


def contents(document: Document, num_layers: int = 1) -> Counter:
    """
    Counts what a document has, by the names above. Its sentences have words and bounds in any case; spaces count where
    not all words are between spaces, an id where it is more than a number, offsets where they are not those in the
    text of the sentences, one a line.

    # Parameters

    document : `Document`
    num_layers : `int`, optional (default = `1`)
        How many layers of entities are not counted as nested.
    """
    counts: Counter = Counter()
    if document.id is not None:
        counts.update([DOCUMENT_BOUNDS] + [DOCUMENT_IDS] * (not document.id.isdecimal()))
    if document.text is not None:
        one_a_line = "\n".join(sentence.text for sentence in document.sentences)
        counts[OFFSETS] += re.sub(r"\s", " ", document.text.rstrip()) != re.sub(r"\s", " ", one_a_line)
    for sentence in document.sentences:
        counts[WORDS] += 1
        counts[SPACES] += sentence.space_after is not None and not all(sentence.space_after[:-1])
        counts[PARTS_OF_SPEECH] += sentence.pos is not None
        counts[TREES] += sentence.heads is not None
        counts[WORD_LABELS] += sentence.tags is not None and sentence.coding_scheme is None and not sentence.entities
        counts[NESTED_ENTITIES] += sum(map(len, layers(sentence.entities)[num_layers:]))
        counts[PROBABILITIES] += len(sentence.probabilities or [])
    return +counts


class AnnotationWriter(Registrable):
    """
    The base class of output formats: writes documents, one after another, to a file or a folder. Only its subclass
    knows a format. A writer has one output at a time:

        writer = AnnotationWriter.by_name("conllu")()
        with writer.open("output.conllu"):
            for document in documents:
                writer.write(document)
        print(writer.lost())

    What a format cannot express is left out, and counted in `losses` by its name in `nerzoo.formats.writer`.
    """

    expresses: FrozenSet[str] = frozenset()
    """What the format can express of what `nerzoo.formats.writer` names."""

    num_layers: int = 1
    """How many layers of nested entities the format has room for, if it is not among what it expresses."""

    def __init__(self) -> None:
        self.losses: Counter = Counter()

    def open(self, path: Union[str, PathLike]) -> "AnnotationWriter":
        """
        Begins an output, and returns the writer: a context that closes the output.

        # Raises

        `ConfigurationError` where there is something at the path.
        """
        check_is_new(path)
        self._open(Path(path))
        return self

    def write(self, document: Document) -> None:
        """
        Writes a document.

        # Raises

        `ConfigurationError` where a word or a label would be read as something else; it names the sentence.
        """
        self._count_losses(document)
        self._write(document)

    def close(self) -> None:
        """Ends the output."""
        raise NotImplementedError

    def write_all(self, documents: Iterable[Document], path: Union[str, PathLike]) -> None:
        """Writes documents, all or nothing: an output that exists is whole. Errors as in `open` and `write`."""
        check_is_new(path)
        with written_whole(path) as unfinished, self.open(unfinished):
            for document in documents:
                self.write(document)

    def lost(self) -> str:
        """Returns what was left out so far, as in `12 nested entities, 3 sentences' trees`."""
        return ", ".join(f"{count} {what}" for what, count in self.losses.items())

    def __enter__(self) -> "AnnotationWriter":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _count_losses(self, document: Document) -> None:
        counts = contents(document, self.num_layers)
        self.losses.update({what: count for what, count in counts.items() if what not in self.expresses})

    def _open(self, path: Path) -> None:
        raise NotImplementedError

    def _write(self, document: Document) -> None:
        raise NotImplementedError


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

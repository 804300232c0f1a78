import re
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import FrozenSet, Iterable

from allennlp.common import Registrable

from nerzoo.files import check_is_new, written_whole
from nerzoo.formats.lines import AnyPath
from nerzoo.text.annotation import Document
from nerzoo.text.tag_schemes import layers


class Content(StrEnum):
    """The contents of documents that an output format may be unable to express."""

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


TREEBANK = frozenset(Content) - {Content.OFFSETS, Content.WORD_LABELS, Content.NESTED_ENTITIES, Content.PROBABILITIES}
"""The contents that a format of treebanks expresses."""


class AnnotationWriter(Registrable):
    """
    The base class of output formats: writes documents, one after another, to a file or a folder, one at a time:

        with writer.open("output.conllu"):
            for document in documents:
                writer.write(document)
        print(writer.lost())

    Contents that a format cannot express are left out, and counted in `losses` by their `Content`.
    """

    expresses: FrozenSet[Content] = frozenset()
    """The contents that the format can express."""

    num_layers: int = 1
    """The number of layers of nested entities that the format has room for, if it cannot express all."""

    def __init__(self) -> None:
        self.losses: Counter = Counter()

    def open(self, path: AnyPath) -> "AnnotationWriter":
        """Begins an output, which leaving the context closes. Raises `ConfigurationError` where the path exists."""
        check_is_new(path)
        self._open(Path(path))
        return self

    def write(self, document: Document) -> None:
        """Writes a document. Raises `ConfigurationError` where a word or a label would be read as something else."""
        self._count_losses(document)
        self._write(document)

    def close(self) -> None:
        """Ends the output."""
        raise NotImplementedError

    def write_all(self, documents: Iterable[Document], path: AnyPath) -> None:
        """Writes documents, all or nothing: an output that exists is complete. Errors as in `open` and `write`."""
        check_is_new(path)
        with written_whole(path) as unfinished, self.open(unfinished):
            for document in documents:
                self.write(document)

    def lost(self) -> str:
        """Returns the losses so far, such as `12 nested entities, 3 sentences' trees`."""
        return ", ".join(f"{count} {what}" for what, count in self.losses.items())

    def __enter__(self) -> "AnnotationWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _count_losses(self, document: Document) -> None:
        counts: Counter = Counter()
        if document.id is not None:
            counts[Content.DOCUMENT_BOUNDS] += 1
            # A number says no more than the position of the document.
            counts[Content.DOCUMENT_IDS] += not document.id.isdecimal()
        if document.text is not None:
            # Offsets are lost unless the text is that of the sentences, one per line.
            lines = "\n".join(sentence.text for sentence in document.sentences)
            counts[Content.OFFSETS] += re.sub(r"\s", " ", document.text.rstrip()) != re.sub(r"\s", " ", lines)
        for sentence in document.sentences:
            has_labels = sentence.tags is not None and sentence.coding_scheme is None and not sentence.entities
            counts[Content.WORDS] += 1
            counts[Content.SPACES] += sentence.space_after is not None and not all(sentence.space_after[:-1])
            counts[Content.PARTS_OF_SPEECH] += sentence.pos is not None
            counts[Content.TREES] += sentence.heads is not None
            counts[Content.WORD_LABELS] += has_labels
            counts[Content.NESTED_ENTITIES] += sum(map(len, layers(sentence.entities)[self.num_layers :]))
            counts[Content.PROBABILITIES] += len(sentence.probabilities or [])
        self.losses.update({what: count for what, count in counts.items() if count and what not in self.expresses})

    def _open(self, path: Path) -> None:
        raise NotImplementedError

    def _write(self, document: Document) -> None:
        raise NotImplementedError


class TextWriter(AnnotationWriter):
    """The base class of formats that are a UTF-8 text file. Subclasses implement `_text`."""

    # Before the first document, between documents, and after the last one.
    beginning: str = ""
    separator: str = ""
    end: str = ""

    def text(self, document: Document) -> str:
        """Returns the text of a document. Counts losses and raises errors as `write` does."""
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

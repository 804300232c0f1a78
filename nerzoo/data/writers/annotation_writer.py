from collections import Counter
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import FrozenSet, Iterable, Optional, Type, Union

from allennlp.common import Registrable

from nerzoo.data.annotation import Document
from nerzoo.data.writers.losses import contents
from nerzoo.files import check_is_new, written_whole


class AnnotationWriter(Registrable):
    """
    The base class of output formats: writes documents, one after another, to a file or a folder. Only its subclass
    knows a format. A writer has one output at a time:

        writer = AnnotationWriter.by_name("conllu")()
        with writer.open("output.conllu"):
            for document in documents:
                writer.write(document)
        print(writer.lost())

    What a format cannot express is left out, and counted in `losses` by its name in `nerzoo.data.writers.losses`.
    """

    expresses: FrozenSet[str] = frozenset()
    """What the format can express of what `nerzoo.data.writers.losses` names."""

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

import logging
from collections import Counter
from os import PathLike
from typing import Callable, Iterator, List, NamedTuple, Optional, Union

from nerzoo.data.annotation import Document
from nerzoo.data.corpora.corpus import Corpus, repeats_counted
from nerzoo.data.lines import format_error
from nerzoo.data.text_splitter import CharacterSpan, TextSplitter

logger = logging.getLogger(__name__)


class AnnotatedText(NamedTuple):
    """A text with entities of characters. `location` names each of its lines by their number, counted from 1."""

    id: Optional[str]
    text: str
    spans: List[CharacterSpan]
    location: Callable[[int], str]


def everywhere(location: str) -> Callable[[int], str]:
    """Returns a function that names all lines of a text alike."""
    return lambda number: location


class StandoffCorpus(Corpus):
    """
    The base class of formats that have raw text, and entities as the positions of their characters, as tools for
    annotation do. Texts in a row with the same id, or without an id, are a document. Texts without words are left out
    and counted.

    # Parameters

    splitter : `TextSplitter`, optional (default = `TextSplitter()`)
        Splits texts into sentences and words.
    annotated : `bool`, optional (default = `True`)
        Whether there is annotation to be read. If not, texts have no entities.
    """

    def __init__(self, splitter: Optional[TextSplitter] = None, annotated: bool = True) -> None:
        self._splitter = splitter or TextSplitter()
        self._annotated = annotated

    def read(self, path: Union[str, PathLike]) -> Iterator[Document]:
        return repeats_counted(path, self._documents(path))

    def _documents(self, path: Union[str, PathLike]) -> Iterator[Document]:
        counts: Counter = Counter()
        document: Optional[Document] = None
        for id, text, spans, location in self._texts(path, counts):
            part = self._splitter.document(id, text, spans, location, counts)
            if not part.sentences:
                counts["texts without words"] += 1
            elif document is None or part.id != document.id:
                if document is not None:
                    yield document
                document = part
            else:
                document.sentences += part.sentences
                if document.text is not None and part.text is not None:
                    document.text += f"\n{part.text}"
        if document is None:
            raise format_error(path, "no sentence", "at least one")
        yield document
        said = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()) if count)
        if said:
            logger.info("%s: %s", path, said)

    def _texts(self, path: Union[str, PathLike], counts: Counter) -> Iterator[AnnotatedText]:
        """Yields the texts of a file. Counts, by their description, the annotations that it leaves out."""
        raise NotImplementedError

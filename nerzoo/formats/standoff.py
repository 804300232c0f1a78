"""Documents as raw text, with entities of characters."""

import logging
from collections import Counter
from itertools import repeat
from os import PathLike
from typing import Callable, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus, repeats_counted
from nerzoo.formats.splitting import CharacterSpan, TextSplitter
from nerzoo.formats.writer import DOCUMENT_BOUNDS, DOCUMENT_IDS, NESTED_ENTITIES, OFFSETS, SPACES, WORDS
from nerzoo.text.annotation import Document

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


EXPRESSED = frozenset([DOCUMENT_BOUNDS, DOCUMENT_IDS, NESTED_ENTITIES])
"""What all formats express that have raw text and entities of characters."""

OF_TEXT = frozenset([SPACES, OFFSETS])
"""What raw text expresses as well; a pretokenized one has `WORDS` instead."""


def expressed(pretokenized: bool) -> frozenset:
    """Returns what such formats express."""
    return EXPRESSED | ({WORDS} if pretokenized else OF_TEXT)


def to_characters(document: Document, pretokenized: bool) -> Tuple[str, List[CharacterSpan]]:
    """
    Turns a document into raw text and entities of characters, in order of sentences.

    # Parameters

    document : `Document`
    pretokenized : `bool`
        Whether the text has a sentence a line and a space between words. If not, it is the text that the document has
        or, where it has none, that of its sentences, one a line.

    # Raises

    `ConfigurationError` where a text that is `pretokenized` has a word with a space or a line end.
    """
    if pretokenized:
        for sentence in document.sentences:
            for word in sentence.words:
                if " " in word or "\n" in word:
                    raise format_error(sentence.location, f"the word {word!r}", "one without spaces and line ends")
        text = "\n".join(" ".join(sentence.words) for sentence in document.sentences)
    elif document.text is not None:
        text = document.text
    else:
        text = "\n".join(sentence.text for sentence in document.sentences)
    return text, list(_spans(document, text))


def _spans(document: Document, text: str) -> Iterator[CharacterSpan]:
    end = 0
    for sentence in document.sentences:
        offsets = sentence.offsets(text, end)
        ends = [offset + len(word) for offset, word in zip(offsets, sentence.words, strict=True)]
        end = ends[-1]
        probabilities = sentence.probabilities or repeat(None)
        for entity, probability in zip(sentence.entities, probabilities, strict=False):
            start_char, end_char = offsets[entity.start], ends[entity.end - 1]
            yield CharacterSpan(start_char, end_char, entity.label, sentence.location, probability)


def parts(document: Document, per_sentence: bool) -> Iterator[Document]:
    """
    Yields a document or, where that is asked for or it has no id, each of its sentences as a document, with its part of
    the text.
    """
    if len(document.sentences) == 1 or (document.id is not None and not per_sentence):
        yield document
        return
    texts: Iterable[Optional[str]] = repeat(None)
    if document.text is not None:
        texts = [document.text[start:end] for start, end in document.bounds(document.text)]
    for sentence, text in zip(document.sentences, texts, strict=False):
        yield Document(document.id, [sentence], text)

from typing import Iterator, List, Tuple

from nerzoo.formats.corpus import AnnotationWriter, Content, TextWriter
from nerzoo.text.annotation import Document, Sentence
from nerzoo.text.palette import TypeNumbers
from nerzoo.text.rendering import PAGE_BEGINNING, PAGE_END, Span, html_paragraph, marked_text


@AnnotationWriter.register("text")
class MarkedTextWriter(TextWriter):
    """Texts to read, with entities in brackets: `[Mara PER] lived in [Calder LOC].`; else a sentence a line."""

    expresses = frozenset({Content.OFFSETS, Content.SPACES, Content.NESTED_ENTITIES, Content.WORD_LABELS})

    def _text(self, document: Document) -> str:
        return "".join(marked_text(*part) + "\n" for part in _parts(document))


@AnnotationWriter.register("html")
class HtmlWriter(TextWriter):
    """A page to read, with a paragraph for each text, or else for each sentence, and entities in colours."""

    expresses = MarkedTextWriter.expresses
    beginning = PAGE_BEGINNING
    end = PAGE_END

    def __init__(self) -> None:
        super().__init__()
        self._numbers = TypeNumbers()

    def _text(self, document: Document) -> str:
        return "".join(html_paragraph(*part, self._numbers) for part in _parts(document))


def _parts(document: Document) -> Iterator[Tuple[str, List[Span]]]:
    """Yields the running text of a document with its entities, or else that of each sentence."""
    if document.text is None:
        yield from ((sentence.text, _spans(sentence, sentence.text, 0)) for sentence in document.sentences)
        return
    starts = [start for start, _ in document.bounds(document.text)]
    pairs = zip(document.sentences, starts, strict=True)
    yield document.text, [span for sentence, start in pairs for span in _spans(sentence, document.text, start)]


def _spans(sentence: Sentence, text: str, start: int) -> List[Span]:
    """Returns the entities of a sentence, or else its tags that stand for themselves, in characters of a text."""
    offsets = sentence.offsets(text, start)
    ends = [offset + len(word) for offset, word in zip(offsets, sentence.words, strict=True)]
    if sentence.tags is not None and sentence.coding_scheme is None and not sentence.entities:
        return list(zip(offsets, ends, sentence.tags, strict=True))
    return [(offsets[entity.start], ends[entity.end - 1], entity.label) for entity in sentence.entities]

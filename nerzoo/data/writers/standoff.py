"""Documents as raw text, with entities of characters."""

from itertools import repeat
from typing import Iterable, Iterator, List, Optional, Tuple

from nerzoo.data.annotation import Document
from nerzoo.data.lines import format_error
from nerzoo.data.text_splitter import CharacterSpan
from nerzoo.data.writers import losses

EXPRESSED = frozenset([losses.DOCUMENT_BOUNDS, losses.DOCUMENT_IDS, losses.NESTED_ENTITIES])
"""What all formats express that have raw text and entities of characters."""

OF_TEXT = frozenset([losses.SPACES, losses.OFFSETS])
"""What raw text expresses as well; a pretokenized one has `WORDS` instead."""


def expressed(pretokenized: bool) -> frozenset:
    """Returns what such formats express."""
    return EXPRESSED | ({losses.WORDS} if pretokenized else OF_TEXT)


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

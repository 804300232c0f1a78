"""Raw text with entities as positions of characters, as tools for annotation have it."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cache, cached_property, partial
from itertools import accumulate, groupby, pairwise, repeat
from typing import Any, Callable, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

import spacy
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc

from nerzoo.errors import check_choice, format_error
from nerzoo.formats.corpus import Content, Corpus, TextWriter
from nerzoo.formats.lines import AnyPath, check_runs, document_id
from nerzoo.text.annotation import Document, Entity, Sentence, nested

_BETWEEN_SPACES = re.compile(r"[^ \n]+")

Word = Tuple[int, int]
"""The characters `text[start:end]` of a word, as `(start, end)`."""


class CharacterSpan(NamedTuple):
    """An entity as characters, `text[start:end]`, with its location for error messages and its probability, if any."""

    start: int
    end: int
    label: str
    location: object = None
    probability: Optional[float] = None


class TextSplitter(FromParams):
    """
    Splits raw text into sentences and words, and turns entities of characters into entities of words.

    A line end always ends a sentence. Within a line, spaCy's tokenizer of the language splits words, and its
    `sentencizer` splits sentences by their punctuation. A text without annotation is split in the same way, except that
    an entity over the end of a sentence joins two. Raises `ConfigurationError` for an unknown language or `boundaries`.

    # Parameters

    language : `str`, optional (default = `"en"`)
        A language of spaCy's.
    pretokenized : `bool`, optional (default = `False`)
        Whether each line is a sentence with single spaces between its words, as writers with `pretokenized` write it.
    boundaries : `str`, optional (default = `"error"`)
        The treatment of an entity that begins or ends within a word: `"error"`; `"widen"`, it gets the whole word;
        `"split"`, the word is split there.
    """

    def __init__(self, language: str = "en", pretokenized: bool = False, boundaries: str = "error") -> None:
        check_choice("boundaries", boundaries, ("error", "widen", "split"))
        self._language = language
        self._pretokenized = pretokenized
        self._boundaries = boundaries
        self._sentencizer = Sentencizer()

    def words(self, text: str) -> List[List[Word]]:
        """Returns the words of each sentence of a text, as their positions in it. No sentence is empty."""
        lines = re.finditer(r"[^\n]+", text)
        if self._pretokenized:
            sentences = ([word.span() for word in _BETWEEN_SPACES.finditer(text, *line.span())] for line in lines)
        else:
            sentences = (words for line in lines for words in self._split(line[0], line.start()))
        return [words for words in sentences if words]

    def document(
        self,
        id: Optional[str],
        text: str,
        spans: Iterable[CharacterSpan],
        location: Callable[[int], str],
        counts: Counter,
    ) -> Document:
        """
        Makes a document of a text and its entities, possibly nested, in any order. `location` names a line of the text,
        from 1, for the `id` of sentences. `counts` counts adaptations of entities and words to each other. Raises
        `ConfigurationError` where an entity is empty, outside the text or crosses another one, or does not fit words.
        """
        if not self._pretokenized:
            check_runs(text, location(1))
        spans = [trimmed(span, text, counts) for span in spans]
        sentences = self.words(text)
        if self._boundaries == "split":
            sentences = _cut(sentences, {edge for span in spans for edge in span[:2]}, counts)
        words = [word for sentence in sentences for word in sentence]
        by_entity = {self._entity(span, text, words, counts): span for span in spans}
        entities = nested(by_entity, lambda entity: by_entity[entity].location)
        starts = [entity.start for entity in entities]
        document = Document(id, text=None if self._pretokenized else text)
        line, line_start = 1, 0
        for first, end in pairwise(sentence_bounds(map(len, sentences), entities, counts)):
            own = entities[bisect_left(starts, first) : bisect_left(starts, end)]
            known = [p for p in (by_entity[entity].probability for entity in own) if p is not None]
            start = words[first][0]
            line, line_start = line + text.count("\n", line_start, start), start
            spaces = [end == len(text) or text[end].isspace() for _, end in words[first:end]]
            document.sentences.append(
                Sentence(
                    [text[start:end] for start, end in words[first:end]],
                    entities=[entity._replace(start=entity.start - first, end=entity.end - first) for entity in own],
                    space_after=None if self._pretokenized else spaces,
                    id=location(line),
                    probabilities=known if own and len(known) == len(own) else None,
                )
            )
        return document

    def _entity(self, span: CharacterSpan, text: str, words: List[Word], counts: Counter) -> Entity:
        first = bisect_right(words, span.start, key=lambda word: word[0]) - 1
        last = bisect_left(words, span.end, key=lambda word: word[1])
        start, end = words[first][0], words[last][1]
        if (start, end) != span[:2]:
            if self._boundaries == "error":
                found = f"the entity {text[span.start : span.end]!r}, a part of the words {text[start:end]!r}"
                expected = "one that begins and ends with a word, or boundaries: 'widen' or 'split'"
                raise format_error(span.location, found, expected)
            counts["entities widened to whole words"] += 1
        return Entity(first, last + 1, span.label)

    def _split(self, line: str, offset: int) -> Iterator[List[Word]]:
        words: List[Word] = []
        for token in self._sentencizer(self._tokenizer(line)):
            if token.is_sent_start:
                yield words
                words = []
            # spaCy has tokens of white space, for all white space but single spaces.
            if not token.is_space:
                start = offset + token.idx
                words.append((start, start + len(token)))
        yield words

    @cached_property
    def _tokenizer(self) -> Callable[[str], Doc]:
        try:
            return _tokenizer_of(self._language)
        except ImportError as error:
            raise ConfigurationError(f"found the language {self._language!r}, expected one of spaCy's") from error


@cache
def _tokenizer_of(language: str) -> Callable[[str], Doc]:
    """Returns the tokenizer of a language. Making one takes longer than reading most files."""
    return spacy.blank(language).tokenizer


def check_within(start: int, end: int, text: str, location: object) -> None:
    """Raises `ConfigurationError` unless a span of characters has any and is within the text."""
    if not 0 <= start < end <= len(text):
        expected = f"0 <= start < end <= {len(text)}, the length of the text"
        raise format_error(location, f"an entity from {start} to {end}", expected)


def trimmed(span: CharacterSpan, text: str, counts: Counter) -> CharacterSpan:
    """Removes white space at the ends of an entity. Raises `ConfigurationError` where it is not within the text."""
    start, end = span[:2]
    check_within(start, end, text, span.location)
    # Without a copy, since there may be as many entities as characters, and each as long as the text.
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise format_error(span.location, f"the entity {text[span.start : span.end]!r}", "one that has words")
    counts["entities with white space at their ends"] += (start, end) != span[:2]
    return span._replace(start=start, end=end)


def _cut(sentences: List[List[Word]], edges: Set[int], counts: Counter) -> List[List[Word]]:
    """Splits words at the edges of entities."""
    ordered = sorted(edges)
    result = []
    for words in sentences:
        pieces: List[Word] = []
        for start, end in words:
            inside = ordered[bisect_right(ordered, start) : bisect_left(ordered, end)]
            counts["words split at the ends of entities"] += bool(inside)
            pieces += pairwise([start, *inside, end])
        result.append(pieces)
    return result


def sentence_bounds(lengths: Iterable[int], entities: List[Entity], counts: Counter) -> List[int]:
    """
    Returns the first word of each sentence, and the number of words, given the lengths of sentences and entities in
    order of start. Leaves out, and counts, bounds within entities.
    """
    bounds = sorted({*accumulate(lengths, initial=0)})
    inside: Set[int] = set()
    reached = 0
    for entity in entities:
        # Entities are in order of start: bounds before the end of an earlier one have been compared.
        first, reached = max(bisect_right(bounds, entity.start), reached), max(bisect_left(bounds, entity.end), reached)
        inside.update(bounds[first:reached])
    counts["ends of sentences within entities"] += len(inside)
    return [bound for bound in bounds if bound not in inside]


def joined(parts: Iterable[Document]) -> Iterator[Document]:
    """Joins consecutive documents with the same id, or without one. None of them is empty; all have a text, or none."""
    for id, group in groupby(parts, key=lambda part: part.id):
        found = list(group)
        texts = [part.text for part in found if part.text is not None]
        yield Document(id, [sentence for part in found for sentence in part.sentences], "\n".join(texts) or None)


class AnnotatedText(NamedTuple):
    """A text with entities of characters, and its location: a file of its own (`is_file`) or a place in a file."""

    id: Optional[str]
    text: str
    spans: List[CharacterSpan]
    location: str
    is_file: bool = False


class StandoffCorpus(Corpus):
    """
    The base class of formats of raw text with entities as positions of characters. Consecutive texts with the same id,
    or without an id, are a document. Texts without words are left out and counted. Subclasses implement `_texts`.

    # Parameters

    splitter : `TextSplitter`, optional (default = `TextSplitter()`)
        Splits texts into sentences and words.
    annotated : `bool`, optional (default = `True`)
        Whether to read annotation. If not, texts have no entities.
    """

    def __init__(self, splitter: Optional[TextSplitter] = None, annotated: bool = True) -> None:
        self._splitter = splitter or TextSplitter()
        self._annotated = annotated

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        return joined(self._parts(path, counts))

    def _parts(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        for id, text, spans, location, is_file in self._texts(path, counts):
            line_location = partial(("{}:{}" if is_file else "{}").format, location)
            part = self._splitter.document(id, text, spans, line_location, counts)
            if part.sentences:
                yield part
            else:
                counts["texts without words"] += 1

    def _texts(self, path: AnyPath, counts: Counter) -> Iterator[AnnotatedText]:
        """Yields the texts of a file. Counts annotations that it leaves out."""
        raise NotImplementedError


def text_id(obj: Dict[str, Any], data: Dict[str, Any], location: object) -> Optional[str]:
    """Returns the `doc_id` in the data of a text or, where it has none, the `id` of its object, or `None`."""
    id = document_id(data, "doc_id", location)
    return document_id(obj, "id", location) if id is None else id


def expressed(pretokenized: bool) -> FrozenSet[Content]:
    """Returns the contents that formats of raw text and entities of characters express."""
    kept = [Content.WORDS] if pretokenized else [Content.SPACES, Content.OFFSETS]
    return frozenset([Content.DOCUMENT_BOUNDS, Content.DOCUMENT_IDS, Content.NESTED_ENTITIES, *kept])


class StandoffWriter(TextWriter):
    """
    The base class of JSON formats of raw text with entities as positions of characters. Subclasses implement `_object`.

    # Parameters

    per_sentence : `bool`, optional (default = `False`)
        Whether each text is a sentence. It always is in a document without an id, which is a file without documents.
    pretokenized : `bool`, optional (default = `False`)
        Whether texts have a sentence per line and a space between words, for a corpus with `splitter.pretokenized`.
    """

    def __init__(self, per_sentence: bool = False, pretokenized: bool = False) -> None:
        super().__init__()
        self._per_sentence = per_sentence
        self._pretokenized = pretokenized
        self.expresses = expressed(pretokenized)

    def _objects(self, document: Document) -> Iterator[str]:
        """Yields the JSON of each text."""
        for part in _parts(document, self._per_sentence):
            text, spans = to_characters(part, self._pretokenized)
            yield json.dumps(self._object(part.id, text, spans), ensure_ascii=False)

    def _object(self, id: Optional[str], text: str, spans: List[CharacterSpan]) -> Dict[str, Any]:
        raise NotImplementedError


def check_ends(sentence: Sentence) -> None:
    """Raises `ConfigurationError` where a word has white space at its ends, which readers remove."""
    for word in sentence.words:
        if word != word.strip():
            raise format_error(sentence.location, f"the word {word!r}", "one without white space at its ends")


def to_characters(document: Document, pretokenized: bool) -> Tuple[str, List[CharacterSpan]]:
    """
    Turns a document into entities of characters, in order of sentences, and raw text: its own or that of its sentences,
    one per line, if `pretokenized` with a space between words. Raises `ConfigurationError` where such a word has one
    or white space at its ends, or an entity is nothing but white space.
    """
    for sentence in document.sentences if pretokenized else ():
        check_ends(sentence)
        for word in sentence.words:
            if " " in word or "\n" in word:
                raise format_error(sentence.location, f"the word {word!r}", "one without spaces and line ends")
    text = None if pretokenized else document.text
    if text is None:
        text = "\n".join(" ".join(part.words) if pretokenized else part.text for part in document.sentences)
    spans, end = [], 0
    for sentence in document.sentences:
        offsets = sentence.offsets(text, end)
        ends = [offset + len(word) for offset, word in zip(offsets, sentence.words, strict=True)]
        end = ends[-1]
        for entity, probability in zip(sentence.entities, sentence.probabilities or repeat(None), strict=False):
            start_char, end_char = offsets[entity.start], ends[entity.end - 1]
            if not (covered := text[start_char:end_char]).strip():
                raise format_error(sentence.location, f"the entity {covered!r}", "one that has words")
            spans.append(CharacterSpan(start_char, end_char, entity.label, sentence.location, probability))
    return text, spans


def _parts(document: Document, per_sentence: bool) -> Iterator[Document]:
    """Yields a document or, if `per_sentence` or without an id, each of its sentences with its part of the text."""
    if len(document.sentences) == 1 or (document.id is not None and not per_sentence):
        yield document
        return
    texts: Iterable[Optional[str]] = repeat(None)
    if document.text is not None:
        texts = [document.text[start:end] for start, end in document.bounds(document.text)]
    for sentence, text in zip(document.sentences, texts, strict=False):
        yield Document(document.id, [sentence], text)

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Callable, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

import spacy
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc

from nerzoo.errors import format_error
from nerzoo.formats.lines import check_runs
from nerzoo.text.annotation import Document, Entity, Sentence, nested

_BETWEEN_SPACES = re.compile(r"[^ \n]+")

Word = Tuple[int, int]
"""The characters `text[start:end]` of a word, as `(start, end)`."""


class CharacterSpan(NamedTuple):
    """
    An entity as characters, `text[start:end]`, with the location of its annotation, for error messages, and its
    probability, where a model has found it.
    """

    start: int
    end: int
    label: str
    location: object = None
    probability: Optional[float] = None


class TextSplitter(FromParams):
    """
    Splits raw text into sentences and words, and turns entities of characters into entities of words.

    A line end always ends a sentence. Within a line, spaCy's tokenizer of the language splits words, and its
    `sentencizer` sentences, by their punctuation; no annotation has a part in that, so that the same text is split in
    the same way where it has none. Only an entity over the end of a sentence joins the two.

    # Parameters

    language : `str`, optional (default = `"en"`)
        A language of spaCy's.
    pretokenized : `bool`, optional (default = `False`)
        Whether each line is a sentence, and its words are between single spaces, as writers leave them that are
        `pretokenized`, too.
    boundaries : `str`, optional (default = `"error"`)
        What becomes of an entity that begins or ends within a word: `"error"`; `"widen"`, it has the whole word;
        `"split"`, the word is split there.

    # Raises

    `ConfigurationError` where the language or `boundaries` is unknown.
    """

    def __init__(self, language: str = "en", pretokenized: bool = False, boundaries: str = "error") -> None:
        if boundaries not in ("error", "widen", "split"):
            raise ConfigurationError(f"found the boundaries {boundaries!r}, expected 'error', 'widen' or 'split'")
        self._language = language
        self._pretokenized = pretokenized
        self._boundaries = boundaries

    def words(self, text: str) -> List[List[Word]]:
        """Returns the words of each sentence of a text, as their positions in it. No sentence is empty."""
        sentences: List[List[Word]] = []
        for line in re.finditer(r"[^\n]+", text):
            if self._pretokenized:
                sentences.append([word.span() for word in _BETWEEN_SPACES.finditer(text, *line.span())])
            else:
                offset = line.start()
                sentences.extend([(offset + a, offset + b) for a, b in words] for words in self._split(line[0]))
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
        Makes a document of a text and its entities.

        # Parameters

        id : `str`, optional
            The document's id.
        text : `str`
        spans : `Iterable[CharacterSpan]`
            The entities, possibly nested, in any order.
        location : `Callable[[int], str]`
            Names a line of the text by its number, counted from 1, for the `id` of sentences.
        counts : `Counter`
            Counts, by their description, what does not fit the words and is made fit.

        # Raises

        `ConfigurationError` where an entity has no character, is not within the text or, unless `boundaries` says
        otherwise, does not begin and end with a word, and where entities cross; it has the entity's location.
        """
        if not self._pretokenized:
            check_runs(text, location(1))
        spans = [_trimmed(span, text, counts) for span in spans]
        sentences = self.words(text)
        if self._boundaries == "split":
            sentences = _cut(sentences, {edge for span in spans for edge in span[:2]}, counts)
        words = [word for sentence in sentences for word in sentence]
        by_entity = {self._entity(span, text, words, counts): span for span in spans}
        entities = nested(by_entity, lambda entity: by_entity[entity].location)
        document = Document(id, text=None if self._pretokenized else text)
        line, line_start = 1, 0
        for first, end in pairwise(_bounds(sentences, entities, counts)):
            own = entities[_at(entities, first) : _at(entities, end)]
            known = [by_entity[entity].probability for entity in own]
            start = words[first][0]
            line, line_start = line + text.count("\n", line_start, start), start
            document.sentences.append(
                Sentence(
                    [text[start:end] for start, end in words[first:end]],
                    entities=[entity._replace(start=entity.start - first, end=entity.end - first) for entity in own],
                    space_after=None if self._pretokenized else _space_after(words[first:end], text),
                    id=location(line),
                    probabilities=[p for p in known if p is not None] if known and None not in known else None,
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

    def _split(self, line: str) -> Iterator[List[Word]]:
        doc = self._sentencizer(self._tokenizer(line))
        words: List[Word] = []
        for token in doc:
            if token.is_sent_start:
                yield words
                words = []
            # spaCy has tokens of white space, for all white space but single spaces.
            if not token.is_space:
                words.append((token.idx, token.idx + len(token)))
        yield words

    @cached_property
    def _tokenizer(self) -> Callable[[str], Doc]:
        try:
            return spacy.blank(self._language).tokenizer
        except ImportError as error:
            raise ConfigurationError(f"found the language {self._language!r}, expected one of spaCy's") from error

    @cached_property
    def _sentencizer(self) -> Sentencizer:
        return Sentencizer()


def _trimmed(span: CharacterSpan, text: str, counts: Counter) -> CharacterSpan:
    start, end = span[:2]
    if not 0 <= start < end <= len(text):
        expected = f"0 <= start < end <= {len(text)}, the length of the text"
        raise format_error(span.location, f"an entity from {start} to {end}", expected)
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


def _bounds(sentences: List[List[Word]], entities: List[Entity], counts: Counter) -> List[int]:
    """Returns the first word of each sentence, and the number of words. No entity is over a bound."""
    bounds = list(accumulate(map(len, sentences), initial=0))
    inside: Set[int] = set()
    reached = 0
    for entity in entities:
        # Entities are in order of start: what is before the end of one has been looked at.
        first, reached = max(bisect_right(bounds, entity.start), reached), max(bisect_left(bounds, entity.end), reached)
        inside.update(bounds[first:reached])
    counts["ends of sentences within entities"] += len(inside)
    return [bound for bound in bounds if bound not in inside]


def _at(entities: List[Entity], word: int) -> int:
    """Returns how many of the entities, which are in order, start before a word."""
    return bisect_left(entities, word, key=lambda entity: entity.start)


def _space_after(words: List[Word], text: str) -> List[bool]:
    return [text[end : end + 1].isspace() or end == len(text) for _, end in words]

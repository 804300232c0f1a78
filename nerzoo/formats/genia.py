import re
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import pairwise
from typing import Iterator, List, Optional, Tuple, cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus, TextCorpus
from nerzoo.formats.lines import Line
from nerzoo.text.annotation import Document, Entity, Sentence, crossing, ordered

_WORD = re.compile(r"\w+|[^\w\s]")
_CLASS = re.compile(r"G#(\S+?)(?=[\s)]|$)")
_SUPER_TYPE = re.compile(r"(DNA|RNA|protein|cell_line|cell_type)(?:_|$)")


@Corpus.register("genia")
class GeniaCorpus(TextCorpus):
    """
    The XML of the GENIA corpus, version 3: articles, with annotations, which may be nested, in the text of their
    sentences. Each article is a document.

    Entities are annotations of the five super-types of the literature: `DNA`, `RNA`, `protein`, `cell_line` and
    `cell_type`. A coordination, such as `human and mouse genes`, is one entity if all its classes have the same
    super-type; its parts have no class, and are no entities. Annotations of other classes or without a `G#` in their
    `sem`, and sentences after the last article, are left out and counted.

    A word is a run of letters and digits, or one other symbol. An annotation that begins or ends within a word, as 18
    do, is widened to the whole word; if it then crosses another one, the later one is left out and counted. Raises
    `ConfigurationError` where the share is not a pair of increasing numbers from 0 to 1.

    # Parameters

    share : `List[float]`, optional (default = `[0.0, 1.0]`)
        The shares of all articles at which to begin and to end. The literature trains on the first 90 %.
    """

    def __init__(self, share: Optional[List[float]] = None) -> None:
        bounds = [0.0, 1.0] if share is None else share
        if len(bounds) != 2 or not 0 <= bounds[0] < bounds[1] <= 1:
            raise ConfigurationError(f"found the share {share}, expected [from, to] with 0 <= from < to <= 1")
        self._share = bounds

    def _parse(self, lines: Iterator[Line], counts: Counter) -> Iterator[Document]:
        articles = list(_articles(lines, counts))
        first, last = (round(bound * len(articles)) for bound in self._share)
        for id, sentences in articles[first:last]:
            yield Document(id, [_sentence(element, line, counts) for element, line in sentences])


def _articles(lines: Iterator[Line], counts: Counter) -> Iterator[Tuple[str, List[Tuple[Element, Line]]]]:
    """Yields the id and the sentences of each article, each sentence with the line on which it ends."""
    parser: XMLPullParser[Element] = XMLPullParser(["end"])
    line = None
    id = ""
    sentences: List[Tuple[Element, Line]] = []
    try:
        for line in lines:
            parser.feed(line.text + "\n")
            # Events of other kinds than "end", which are not asked for, may have no element.
            for _, element in cast(Iterator[Tuple[str, Element]], parser.read_events()):
                if element.tag == "bibliomisc":
                    id = element.text or ""
                elif element.tag == "sentence":
                    sentences.append((element, line))
                elif element.tag == "article":
                    if len(list(element.iter("sentence"))) != len(sentences):
                        raise format_error(line, "an article with sentences outside of it", "each in an article")
                    yield id, sentences
                    id, sentences = "", []
        parser.close()
        counts.update(["sentences after the last article"] * len(sentences))
    except ParseError as error:
        if line is not None:
            raise format_error(line, str(error), "the XML of the GENIA corpus") from None


def _sentence(element: Element, line: Line, counts: Counter) -> Sentence:
    if len(list(element.iter("sentence"))) > 1:
        raise format_error(line, "a sentence within a sentence", "none")
    text = "".join(element.itertext())
    words = [match.span() for match in _WORD.finditer(text)]
    if not words:
        raise format_error(line, "a sentence without words", "words")
    entities = []
    for start, end, sem in _annotations(element):
        classes = _CLASS.findall(sem)
        if not classes:
            counts.update(["annotations whose sem has no G#"] * bool(sem.strip()))
            continue
        matches = [_SUPER_TYPE.match(name) for name in classes]
        super_types = {match[1] for match in matches if match}
        if len(super_types) != 1 or None in matches:
            counts["annotations of other classes"] += 1
            continue
        first = bisect_right(words, start, key=lambda word: word[1])
        last = bisect_left(words, end, key=lambda word: word[0])
        if first >= last:
            raise format_error(line, f"an annotation of {text[start:end]!r}", "one that has words")
        entities.append(Entity(first, last, *super_types))
    entities = ordered(entities)
    left_out = {entity for entity, _ in crossing(entities)}
    counts.update(["annotations that cross others, widened to whole words"] * len(left_out))
    return Sentence(
        [text[start:end] for start, end in words],
        entities=[entity for entity in entities if entity not in left_out],
        space_after=[end < start for (_, end), (start, _) in pairwise(words)] + [False],
        id=str(line),
    )


def _annotations(sentence: Element) -> Iterator[Tuple[int, int, str]]:
    """Yields start, end and the classes of the ontology, perhaps none, of annotations, however deep they are nested."""
    position = len(sentence.text or "")
    # The elements around the current position, each with its beginning and its remaining children.
    path = [(sentence, 0, iter(sentence))]
    while path:
        element, start, children = path[-1]
        child = next(children, None)
        if child is not None:
            path.append((child, position, iter(child)))
            position += len(child.text or "")
            continue
        path.pop()
        if element.tag == "cons":
            yield start, position, element.get("sem", "")
        position += len(element.tail or "") if path else 0

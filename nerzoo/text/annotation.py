"""
Annotated text: the documents that every corpus yields and every reader takes, and their entities as tags.

Coding schemes write entities as tags, one per token. A tag is `O` or `PREFIX-LABEL`; only the first hyphen separates,
so that labels may contain hyphens. Some corpora write the prefix after the label, see `prefixed`.
"""

from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from nerzoo.errors import check_choice, configuration_error, format_error

SYNTAX = ("pos", "heads", "dep_labels")
"""Syntactic annotation: attributes of `Sentence`, and keys of metadata and predictions."""


def running_text(words: Sequence[str], space_after: Optional[Sequence[bool]] = None) -> str:
    """Joins words to a text. `space_after` says for each word if a space follows it; by default, one does."""
    if space_after is None:
        return " ".join(words)
    return "".join(word + " " * space for word, space in zip(words, [*space_after[:-1], False], strict=True))


def word_offsets(words: Iterable[str], text: str, start: int = 0) -> List[int]:
    """Returns the start of each word in a text, from `start` on. Raises `ValueError` where the text lacks a word."""
    offsets, end = [], start
    for word in words:
        offsets.append(text.index(word, end))
        end = offsets[-1] + len(word)
    return offsets


def entities_to_json(
    entities: Iterable[Tuple[tuple, Optional[float]]], sentence: Dict[str, Any]
) -> List[Dict[str, Any]]:
    """
    Turns entities into JSON objects with `start` and `end` in words, `label`, `text`, `start_char`, `end_char` and, if
    known, `probability`. `entities` are pairs of a tuple that begins with start, end (exclusive) and label, and a
    probability, if known. `sentence` has `words`, `text`, and `offsets`, the position in the text of each word.
    """
    text, offsets, words = sentence["text"], sentence["offsets"], sentence["words"]
    objects = []
    for (start, end, label, *_), probability in entities:
        start_char, end_char = offsets[start], offsets[end - 1] + len(words[end - 1])
        obj = {"start": start, "end": end, "label": label, "text": text[start_char:end_char]}
        obj |= {"start_char": start_char, "end_char": end_char}
        if probability is not None:
            obj["probability"] = probability
        objects.append(obj)
    return objects


class Entity(NamedTuple):
    """A labelled span of tokens: `words[start:end]`, `end` exclusive."""

    start: int
    end: int
    label: str


@dataclass
class Sentence:
    """A sentence of T words, T > 0, with the annotation that its corpus has."""

    words: List[str]
    pos: Optional[List[str]] = None
    """T part-of-speech tags."""
    heads: Optional[List[int]] = None
    """T positions of syntactic heads, counted from 1; 0 is the root. Several roots are legal."""
    dep_labels: Optional[List[str]] = None
    """T labels of the arc from each word to its head."""
    tags: Optional[List[str]] = None
    """T labels of a token-level task."""
    entities: Sequence[Entity] = ()
    """Possibly nested; in order of start, outer before inner."""
    space_after: Optional[List[bool]] = None
    """`True` for each word that white space follows in the text; by default, single spaces do."""
    id: Optional[str] = None
    """File and line, and the sentence's id in the corpus if it has one."""
    coding_scheme: Optional[str] = None
    """One of `nerzoo.text.annotation.SCHEMES` where `tags` stand for spans; `None` where they stand for themselves."""
    probabilities: Optional[List[float]] = None
    """The probability of each entity, where a model has found the entities."""
    loss_weight: Optional[float] = None
    """The factor of the sentence's loss in training, 1 by default."""
    marginals: Optional[List[Dict[str, float]]] = None
    """The probabilities of the tags of each word, where a teacher gives them: T dictionaries, or none at all."""
    annotated_types: Optional[Sequence[str]] = None
    """The types of the entities that were looked for; nothing is known of others. `None` stands for all types."""
    parser: Optional[str] = field(default=None, compare=False)
    """The name of the pipeline that has found `pos` or the tree, where one has."""

    @property
    def text(self) -> str:
        """The sentence as running text."""
        return running_text(self.words, self.space_after)

    @property
    def location(self) -> str:
        """The sentence's name in error messages: its `id`, or its text in quotes."""
        return self.id or repr(self.text)

    def offsets(self, text: str, start: int = 0) -> List[int]:
        """Returns `word_offsets` of the sentence's words."""
        return word_offsets(self.words, text, start)


def split_into_characters(sentence: Sentence) -> Tuple[Sentence, List[str]]:
    """
    Splits the words of a sentence, which has no `tags`, into Unicode code points, as in Xu's thesis, section 5.5.2, for
    Chinese. Returns the sentence of characters, and the word around each. Entities are spans of characters. A character
    has the part of speech of its word, and no head or dependency label.
    """
    bounds = list(accumulate(map(len, sentence.words), initial=0))

    def repeated(values: List[str]) -> List[str]:
        return [value for value, word in zip(values, sentence.words, strict=True) for _ in word]

    space_after = [False] * bounds[-1]
    for end, space in zip(bounds[1:], sentence.space_after or [True] * len(sentence.words), strict=True):
        space_after[end - 1] = space
    characters = replace(
        sentence,
        words=list("".join(sentence.words)),
        pos=None if sentence.pos is None else repeated(sentence.pos),
        heads=None,
        dep_labels=None,
        entities=[entity._replace(start=bounds[entity.start], end=bounds[entity.end]) for entity in sentence.entities],
        space_after=space_after,
    )
    return characters, repeated(sentence.words)


@dataclass
class Document:
    """
    The sentences of a document, in order. Its `id` is `None` if it is a whole file. `text` is the running text, if the
    corpus has one: all words of the sentences, in order, with nothing but white space between them.
    """

    id: Optional[str] = None
    sentences: List[Sentence] = field(default_factory=list)
    text: Optional[str] = None

    def bounds(self, text: str) -> List[Tuple[int, int]]:
        """Returns start and end of each sentence in a text. Raises `ValueError` where the text lacks a word."""
        bounds, end = [], 0
        for sentence in self.sentences:
            offsets = sentence.offsets(text, end)
            end = offsets[-1] + len(sentence.words[-1])
            bounds.append((offsets[0], end))
        return bounds


def ordered(entities: Iterable[Entity]) -> List[Entity]:
    """Sorts entities in order of start, outer before inner, and drops duplicates."""
    return sorted(set(entities), key=lambda entity: (entity.start, -entity.end, entity.label))


def nested(
    entities: Iterable[Entity], location: Callable[[Entity], object], expected: str = "nested entities"
) -> List[Entity]:
    """Orders entities as `ordered` does. Raises `ConfigurationError` where two cross, which no tagger finds."""
    found = ordered(entities)
    for entity, other in crossing(found):
        raise format_error(location(entity), f"{entity}, which crosses {other}", expected)
    return found


def crossing(entities: Iterable[Entity]) -> Iterator[Tuple[Entity, Entity]]:
    """Yields ordered entities that cross an earlier one, with that one. Later ones are not compared with them."""
    enclosing: List[Entity] = []
    for entity in entities:
        while enclosing and enclosing[-1].end <= entity.start:
            enclosing.pop()
        if enclosing and enclosing[-1].end < entity.end:
            yield entity, enclosing[-1]
        else:
            enclosing.append(entity)


# A prefix has the same meaning in all coding schemes: conlleval does not know the coding scheme.
_READ_AS = {"O": "O", "B": "B", "I": "I", "E": "E", "L": "E", "S": "S", "U": "S"}


def read_tag(tag: str) -> Tuple[str, str]:
    """Returns the prefix of a tag, one of O, B, I, E and S, and its label, as `tag_spans` reads them."""
    prefix, _, label = tag.partition("-")
    return _READ_AS.get(prefix, "I" if label else "O"), label


def tag_spans(tags: Sequence[str]) -> List[Tuple[int, int, str]]:
    """
    Turns the tags of a sentence into spans, `(start, end, label)`, in order, `end` exclusive.

    Any sequence of tags is legal: two neighbouring tags decide where spans start and end, as in `conlleval`. A span
    starts at B and S (or U); at I and E (or L) after O, E or S, and wherever the label changes. It ends before the next
    start, after E and S, and before O. A prefix without a label, such as "B" alone, has the empty label; a label
    without a prefix, such as "PERSON", is outside; an unknown prefix with a label counts as I.
    """
    spans: List[Tuple[int, int, str]] = []
    previous = "O"
    for position, tag in enumerate(tags):
        prefix, label = read_tag(tag)
        if prefix in "BS" or (prefix in "IE" and (previous in "OES" or label != spans[-1][2])):
            spans.append((position, position + 1, label))
        elif prefix != "O":
            spans[-1] = (spans[-1][0], position + 1, label)
        previous = prefix
    return spans


SCHEMES: Dict[str, List[str]] = {
    "BIO": ["B", "I", "I", "B"],
    "IOB1": ["B", "I", "I", "B"],
    "BIOUL": ["B", "I", "L", "U"],
    "BIOES": ["B", "I", "E", "S"],
}
"""The coding schemes, each with the prefixes of an entity's first, inner, last and only token."""
LAYERS = ("outermost", "innermost")
"""The layers of nested entities that `layer` selects."""


def check_coding_scheme(coding_scheme: str) -> None:
    """Raises `ConfigurationError` unless `coding_scheme` is one of `SCHEMES`."""
    if coding_scheme not in SCHEMES:
        raise configuration_error(f"found the coding scheme {coding_scheme!r}, expected one of {', '.join(SCHEMES)}")


def check_fit(entity: Entity, length: int) -> None:
    """Raises `ValueError` unless the entity is a span of a sentence of `length` tokens."""
    if not 0 <= entity.start < entity.end <= length:
        raise ValueError(f"{entity} does not fit into {length} tokens")


def is_well_formed(tag: str, coding_scheme: str) -> bool:
    """Returns whether a tag is `O`, or a prefix of the coding scheme with a label."""
    prefix, _, label = tag.partition("-")
    return tag == "O" or (prefix in SCHEMES[coding_scheme] and label.strip() != "")


def all_tags(types: Iterable[str], coding_scheme: str) -> List[str]:
    """Returns `O` and all tags that a coding scheme has for some types of entities, in order of the types."""
    prefixes = dict.fromkeys(SCHEMES[coding_scheme])
    return ["O", *(f"{prefix}-{type}" for type in types for prefix in prefixes)]


def labels_of_tags(tags: Iterable[str], coding_scheme: Optional[str]) -> List[str]:
    """Returns, sorted, the types of entities that tags stand for; without a coding scheme, the tags themselves."""
    return sorted(tags if coding_scheme is None else {tag.partition("-")[2] for tag in tags if tag != "O"})


def prefixed(tag: str) -> str:
    """Rewrites a tag in the notation of MEDIA: `hotel-parking-B` as `B-hotel-parking`, and `null` as `O`."""
    if tag == "null":
        return "O"
    label, _, prefix = tag.rpartition("-")
    return f"{prefix}-{label}"


def entities_to_tags(entities: Iterable[Entity], length: int, coding_scheme: str) -> List[str]:
    """Turns flat entities, in any order, into tags. Raises `ValueError` where they overlap or do not fit."""
    check_coding_scheme(coding_scheme)
    first, inner, last, only = SCHEMES[coding_scheme]
    tags = ["O"] * length
    previous = Entity(0, 0, "")
    for entity in sorted(entities):
        check_fit(entity, length)
        start, end, label = entity
        if start < previous.end:
            raise ValueError(f"{previous} and {entity} overlap")
        prefixes = [only] if end - start == 1 else [first, *[inner] * (end - start - 2), last]
        if coding_scheme == "IOB1" and (previous.end, previous.label) != (start, label):
            prefixes[0] = "I"
        tags[start:end] = [f"{prefix}-{label}" for prefix in prefixes]
        previous = entity
    return tags


def tags_to_entities(tags: Sequence[str], coding_scheme: str) -> List[Entity]:
    """Turns the tags of a sentence into its entities, see `tag_spans`. Raises the error of `check_coding_scheme`."""
    check_coding_scheme(coding_scheme)
    return [Entity(*span) for span in tag_spans(tags)]


def layer(entities: Iterable[Entity], which: str) -> List[Entity]:
    """
    Selects flat entities, in order, from possibly nested ones: the "outermost", inside no other kept one, or the
    "innermost", which contain no other. Keeps the first of a span, and of two that cross the one that starts first.
    """
    check_choice("layer", which, LAYERS)
    if which == "innermost":
        innermost: List[Entity] = []
        # In order of end, an entity contains another one if and only if an earlier one does not start before it.
        for entity in sorted(entities, key=lambda entity: (entity.end, -entity.start)):
            if not innermost or entity.start > innermost[-1].start:
                innermost.append(entity)
        entities = innermost
    kept: List[Entity] = []
    for entity in sorted(entities, key=_outer_first):
        if not kept or entity.start >= kept[-1].end:
            kept.append(entity)
    return kept


def layers(entities: Iterable[Entity]) -> List[List[Entity]]:
    """Splits nested entities into flat layers, each the outermost layer of the entities in no earlier layer."""
    result: List[List[Entity]] = []
    # Two heaps: the layers whose last entity ends before the current one starts, and the other layers with that end.
    free: List[int] = []
    taken: List[Tuple[int, int]] = []
    for entity in sorted(dict.fromkeys(entities), key=_outer_first):
        while taken and taken[0][0] <= entity.start:
            heappush(free, heappop(taken)[1])
        if not free:
            heappush(free, len(result))
            result.append([])
        number = heappop(free)
        result[number].append(entity)
        heappush(taken, (entity.end, number))
    return result


def _outer_first(entity: Entity) -> Tuple[int, int]:
    return entity.start, -entity.end

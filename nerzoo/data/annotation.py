"""Annotated text: the documents that every corpus yields and every reader takes."""

from dataclasses import dataclass, field
from typing import List, NamedTuple, Optional, Sequence, Tuple

from nerzoo.runtime.running_text import running_text, word_offsets

SYNTAX = ("pos", "heads", "dep_labels")
"""What a sentence may have of syntax: attributes of `Sentence`, and keys of metadata and of predictions."""


class Entity(NamedTuple):
    """A labelled span of tokens: `words[start:end]`, `end` exclusive."""

    start: int
    end: int
    label: str


@dataclass
class Sentence:
    """
    A sentence with the annotation that its corpus has.

    # Parameters

    words : `List[str]`
        T words, T > 0.
    pos : `List[str]`, optional
        T part-of-speech tags.
    heads : `List[int]`, optional
        T positions of syntactic heads, counted from 1; 0 is the root. Several roots are legal.
    dep_labels : `List[str]`, optional
        T labels of the arc from each word to its head.
    tags : `List[str]`, optional
        T labels of a token-level task.
    entities : `Sequence[Entity]`
        Possibly nested; in order of start, outer before inner.
    space_after : `List[bool]`, optional
        Whether white space follows each word in the text; by default, single spaces do.
    id : `str`, optional
        File and line, and the sentence's id in the corpus if it has one.
    coding_scheme : `str`, optional
        One of `nerzoo.data.tag_schemes.SCHEMES` where `tags` stand for spans; `None` where they stand for themselves.
    probabilities : `List[float]`, optional
        The probability of each of the `entities`, where a model has found them.
    """

    words: List[str]
    pos: Optional[List[str]] = None
    heads: Optional[List[int]] = None
    dep_labels: Optional[List[str]] = None
    tags: Optional[List[str]] = None
    entities: Sequence[Entity] = ()
    space_after: Optional[List[bool]] = None
    id: Optional[str] = None
    coding_scheme: Optional[str] = None
    probabilities: Optional[List[float]] = None

    @property
    def text(self) -> str:
        """The sentence as running text."""
        return running_text(self.words, self.space_after)

    @property
    def location(self) -> str:
        """The sentence's `id`, or its text in quotes: its name in error messages."""
        return self.id or repr(self.text)

    def offsets(self, text: str, start: int = 0) -> List[int]:
        """
        Returns the position of each word's first character in a text that has the words in this order, from `start`
        on. Raises `ValueError` where it does not have a word.
        """
        return word_offsets(self.words, text, start)


@dataclass
class Document:
    """
    The sentences of a document, in order. `id` is `None` where a file does not separate documents; the whole file is
    then one document. `text` is the running text that has all words of the sentences, in order, with nothing but white
    space between them, where the corpus has one.
    """

    id: Optional[str] = None
    sentences: List[Sentence] = field(default_factory=list)
    text: Optional[str] = None

    def bounds(self, text: str) -> List[Tuple[int, int]]:
        """
        Returns the characters of each sentence in a text that has all their words, as `text` has, from its first word
        to its last one. Raises `ValueError` where the text does not have a word.
        """
        bounds, end = [], 0
        for sentence in self.sentences:
            offsets = sentence.offsets(text, end)
            end = offsets[-1] + len(sentence.words[-1])
            bounds.append((offsets[0], end))
        return bounds

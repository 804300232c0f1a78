"""Predictions as they are drawn: checked, and each with what stands before it in its document."""

from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from nerzoo.errors import format_error
from nerzoo.formats.json_text import json_object
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import read_lines
from nerzoo.text.annotation import Sentence

OF_WORDS = ("gate", "gate_features", "backward_tags", "gold_tags", "probabilities")
"""What predictions may hold one of for each word, besides what `sentence_from_json` checks."""


class Entity(NamedTuple):
    """A predicted entity: words from `start` to `end`, exclusive."""

    start: int
    end: int
    label: str
    probability: Optional[float] = None


@dataclass
class Prediction:
    """
    What is predicted of a sentence, or of a thread.

    # Parameters

    location : `object`
        The line that it is from, for error messages.
    values : `Dict[str, Any]`
        What the line holds. `attention` is called by what it is: `relative_attention`, of words to words, (T, T);
        `global_attention`, of the sentence to its words, (T,); or `memory`, to positions of the document.
    sentence : `Sentence`, optional
        Its words, syntax and entities, if it is no thread.
    before : `List[List[str]]`, optional
        The words of the sentences before it in its document.
    """

    location: object
    values: Dict[str, Any]
    sentence: Optional[Sentence] = None
    before: List[List[str]] = field(default_factory=list)

    @property
    def words(self) -> List[str]:
        """Its words; none of a thread."""
        return self.sentence.words if self.sentence else []

    @property
    def tags(self) -> List[str]:
        """The tag of each word, empty where it is O or there is none."""
        return [tag if tag != "O" else "" for tag in self.values.get("tags") or [""] * len(self.words)]

    @property
    def entities(self) -> List[Entity]:
        """Its entities, outer before inner."""
        if self.sentence is None:
            return []
        probabilities = self.sentence.probabilities or repeat(None)
        return [Entity(*entity, each) for entity, each in zip(self.sentence.entities, probabilities, strict=False)]

    @property
    def targets(self) -> List[int]:
        """The positions of words whose attention is drawn: those in entities or, if there are none, all."""
        inside = {position for entity in self.entities for position in range(entity.start, entity.end)}
        return sorted(inside) or list(range(len(self.words)))


def read_predictions(path: str) -> Iterator[Prediction]:
    """
    Yields the predictions for the sentences of a file, or for its threads, as `allennlp predict` and `allennlp tag`
    write them. Sentences that follow one another with the same `doc_id`, or without, are a document, and so are those
    of one line.

    # Raises

    `ConfigurationError`, naming file and line, where one is none, or what it holds does not fit its words.
    """
    document: Any = None
    before: List[List[str]] = []
    for line in read_lines(path):
        if line.is_blank:
            continue
        values = json_object(line)
        key: Tuple[Any, ...] = (line.number,) if "sentences" in values else ("doc_id", values.get("doc_id"))
        if key != document:
            document, before = key, []
        for prediction in predictions_from_json(values, line, before):
            yield prediction
            before = [*before, prediction.words]


def predictions_from_json(
    values: Dict[str, Any], location: object, before: Sequence[List[str]] = ()
) -> Iterator[Prediction]:
    """
    Yields the predictions that an object holds: for a sentence, for the sentences of a document, or for a thread.

    # Parameters

    values : `Dict[str, Any]`
    location : `object`
        Where it is from, for error messages.
    before : `Sequence[List[str]]`, optional
        The words of the sentences of the document that are before those of the object.

    # Raises

    `ConfigurationError` where it is no prediction, or what it holds does not fit its words.
    """
    read = list(before)
    for part in values.get("sentences", [values]):
        yield _prediction(part, location, list(read))
        read.append(part.get("words") or [])


def _prediction(values: Dict[str, Any], location: object, before: List[List[str]]) -> Prediction:
    if isinstance(values.get("posts"), list):
        return Prediction(location, values)
    if values.get("words") == []:
        return Prediction(location, {}, Sentence([]))
    sentence = sentence_from_json(values, location)
    values = dict(values)
    attention = values.pop("attention", None)
    if attention is not None:
        values[_kind(attention)] = attention
    _check(values, len(sentence.words), location)
    return Prediction(location, values, sentence, before)


def _kind(attention: Any) -> str:
    """Which attention it is, by its shape."""
    first = attention[0] if isinstance(attention, list) and attention else None
    if isinstance(first, float):
        return "global_attention"
    is_memory = isinstance(attention, list) and all(
        isinstance(slot, dict) for slots in attention if isinstance(slots, list) for slot in slots
    )
    return "memory" if is_memory else "relative_attention"


def _check(values: Dict[str, Any], length: int, location: object) -> None:
    for name in (*OF_WORDS, "relative_attention", "global_attention", "memory"):
        rows = values.get(name)
        if rows is None:
            continue
        if not isinstance(rows, list) or len(rows) != length:
            found = f"the {name} of {len(rows) if isinstance(rows, list) else 'no'} words"
            raise format_error(location, found, f"one for each of {length} words")
        if name == "relative_attention":
            _check_matrix(rows, length, location)


def _check_matrix(rows: Sequence[Any], length: int, location: object) -> None:
    for row in rows:
        # One more: the null memory.
        if not isinstance(row, list) or len(row) not in (length, length + 1):
            found = f"weights {row!r:.60} of a word"
            raise format_error(location, found, f"one for each of {length} words")

"""The divisions of entities that a report has."""

from bisect import bisect
from typing import Callable, Iterator, Optional, Sequence, cast

from nerzoo.data.annotation import Entity
from nerzoo.evaluation.frequency_groups import BOUNDS, by_frequency, group_names
from nerzoo.reporting.evaluated_sentence import EvaluatedSentence
from nerzoo.reporting.grouping import Grouping
from nerzoo.reporting.training_data import NEAR_DUPLICATE, TrainingData
from nerzoo.training.metrics.nested_span_f1 import DEPTHS, depth_of

_LENGTHS = (2, 3, 4, 5, 7)
_SENTENCE_LENGTHS = (6, 11, 21, 41)
_POSITIONS = (2, 6, 21)


def groupings(sentences: Sequence[EvaluatedSentence], training: Optional[TrainingData]) -> Iterator[Grouping]:
    """Yields those that sentences with their gold entities, and training data, if known, allow."""
    yield _by_number("length", "length of the entity", _LENGTHS, lambda _, entity, __: entity.end - entity.start)
    if any(depth_of(entity, {*sentence.gold}) for sentence in sentences for entity in sentence.gold):
        yield Grouping(
            "depth",
            "depth",
            DEPTHS,
            lambda _, entity, entities: DEPTHS[depth_of(entity, {*entities})],
            "The number of entities around an entity: among gold ones for recall, among predicted ones for precision.",
        )
    yield _by_number(
        "sentence_length", "length of the sentence", _SENTENCE_LENGTHS, lambda sentence, *_: len(sentence.words)
    )
    positions = [sentence.position for sentence in sentences]
    if None not in positions and positions.count(1) > 1:
        yield _by_number(
            "position",
            "position of the sentence in its document",
            _POSITIONS,
            lambda sentence, *_: cast(int, sentence.position),
        )
    if training is not None:
        yield from _by_training(training)


def _by_number(name: str, title: str, bounds: Sequence[int], number: Callable[..., int]) -> Grouping:
    names = group_names(bounds, lowest=1)
    return Grouping(name, title, names, lambda *of_entity: names[bisect(bounds, number(*of_entity))])


def _by_training(training: TrainingData) -> Iterator[Grouping]:
    frequency = by_frequency(training.word_counts, BOUNDS)
    yield Grouping(
        "familiarity",
        "mention in training data",
        ("seen", "ambiguous", "unseen"),
        lambda sentence, entity, _: training.familiarity(_words(sentence, entity), entity.label),
        "seen: training data has the same words, as they are written, as a mention of this type alone; ambiguous: of "
        "another type or of several; unseen: of none.",
    )
    yield Grouping(
        "vocabulary",
        "words of the entity",
        ("all known", "some unknown"),
        lambda sentence, entity, _: (
            "all known" if all(map(training.word_counts.__contains__, _words(sentence, entity))) else "some unknown"
        ),
        "Known: training data has the word, as it is written.",
    )
    yield Grouping(
        "frequency",
        "frequency in training data",
        group_names(BOUNDS),
        lambda sentence, entity, _: frequency(_words(sentence, entity)),
        "How often training data has the rarest word of the entity.",
    )
    yield Grouping(
        "repetition",
        "sentence in training data",
        ("duplicate", "near-duplicate", "new"),
        lambda sentence, *_: training.repetition(sentence.words),
        "duplicate: training data has the sentence; near-duplicate: one that has at least "
        f"{100 * NEAR_DUPLICATE:.0f} % of the words of both in common, in lower case.",
    )


def _words(sentence: EvaluatedSentence, entity: Entity) -> Sequence[str]:
    return sentence.words[entity.start : entity.end]

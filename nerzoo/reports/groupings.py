"""Groups of entities, which get scores of their own, by their form, their place, and what training data has of them."""

from bisect import bisect
from collections import Counter, defaultdict
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.formats.jsonl import Prediction
from nerzoo.inference.sentence_index import SentenceIndex
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import DEPTHS, MatchCounter, depth_group, span_depths

NEAR_DUPLICATE = 0.8
"""The lowest similarity of near-duplicates, see `SentenceIndex`."""


class TrainingData:
    """
    The training data of a system, sentences with their gold entities, with which the sentences of an evaluation are
    compared.
    """

    def __init__(self, sentences: Sequence[Prediction]) -> None:
        self.word_counts = Counter(word for sentence in sentences for word in sentence.words)
        self.mentions: Dict[Tuple[str, ...], Set[str]] = defaultdict(set)
        """The types of each mention, by its words."""
        self._locations = [sentence.location for sentence in sentences]
        self._first_with: Dict[Tuple[str, ...], int] = {}
        self._index = SentenceIndex(NEAR_DUPLICATE)
        self._found: Dict[Tuple[str, ...], Optional[Tuple[str, float]]] = {}
        for number, sentence in enumerate(sentences):
            self._first_with.setdefault(tuple(sentence.words), number)
            self._index.add(sentence.words)
            for entity in sentence.gold:
                self.mentions[tuple(sentence.words[entity.start : entity.end])].add(entity.label)

    def familiarity(self, words: Sequence[str], label: str) -> str:
        """
        Returns whether training data has the words as a mention: `"unseen"`; `"seen"`, of this type alone; or
        `"ambiguous"`, of another type or of several.
        """
        types = self.mentions.get(tuple(words))
        if types is None:
            return "unseen"
        return "seen" if types == {label} else "ambiguous"

    def repetition(self, words: Sequence[str]) -> str:
        """
        Returns whether training data has the sentence: `"duplicate"`, with the same words, as they are written;
        `"near-duplicate"`, a sentence with a similarity of at least `NEAR_DUPLICATE`; or `"new"`.
        """
        if tuple(words) in self._first_with:
            return "duplicate"
        return "new" if self.most_similar(words) is None else "near-duplicate"

    def most_similar(self, words: Sequence[str]) -> Optional[Tuple[str, float]]:
        """
        Returns the location of a sentence with the same words, and 1; or the location of the most similar sentence, and
        its similarity, if this is at least `NEAR_DUPLICATE`.
        """
        key = tuple(words)
        if key in self._first_with:
            return self._locations[self._first_with[key]], 1.0
        if key not in self._found:
            similar = [(similarity, -number) for number, similarity in self._index.similar(words)]
            similarity, negated_number = max(similar, default=(0.0, 0))
            is_near = similarity >= NEAR_DUPLICATE
            self._found[key] = (self._locations[-negated_number], similarity) if is_near else None
        return self._found[key]

    def facts(self, sentences: Sequence[Prediction]) -> Dict[str, Any]:
        """
        Returns the `training` of a report: numbers of sentences and mentions of the training data, the shares of the
        words of some sentences that it does not have, and the sentences that it does have.
        """
        words = [word for sentence in sentences for word in sentence.words]
        unknown = [word for word in words if word not in self.word_counts]
        repeated = [
            {
                "index": index,
                "location": sentence.location,
                "words": sentence.words,
                "num_entities": len(sentence.gold),
                "training_location": found[0],
                "similarity": found[1],
                "kind": self.repetition(sentence.words),
            }
            for index, sentence in enumerate(sentences)
            if (found := self.most_similar(sentence.words)) is not None
        ]
        kinds = Counter(sentence["kind"] for sentence in repeated)
        return {
            "num_sentences": len(self._locations),
            "num_mentions": len(self.mentions),
            "num_words": self.word_counts.total(),
            "out_of_vocabulary": {"tokens": len(unknown) / len(words), "words": len({*unknown}) / len({*words})},
            "num_duplicates": kinds["duplicate"],
            "num_near_duplicates": kinds["near-duplicate"],
            "repeated_sentences": repeated,
        }


Group = Callable[[Prediction, Entity, int], str]
"""Returns the group of an entity of a sentence, given its depth among its gold or predicted entities."""


class Grouping(NamedTuple):
    """A division of entities into groups, each of which gets strict scores of its own."""

    name: str
    title: str
    names: Sequence[str]
    """The groups, in order."""
    group: Group
    note: str = ""

    def scores(self, sentences: Sequence[Prediction]) -> List[Dict[str, Any]]:
        """
        Returns for each group its `name`, the numbers of `gold` and `predicted` entities, the number of found gold ones
        (`correct_of_gold`) and of correct predicted ones (`correct`), which differ where a group depends on the other
        entities, and `precision`, `recall` and `f1`. 0 / 0 is 0.
        """
        counter = MatchCounter()
        for sentence in sentences:
            counter.add(sentence.predicted, sentence.gold, partial(self.group, sentence))
        found = []
        for name in self.names:
            counts = counter.counts[name]
            sizes = {"name": name, "gold": counts.num_gold, "predicted": counts.num_predicted}
            correct = {"correct": counts.num_correct, "correct_of_gold": counts.num_found}
            found.append({**sizes, **correct, **counts.scores()})
        return found


BOUNDS = (1, 2, 5, 20, 100)


def group_names(bounds: Sequence[int], lowest: int = 0) -> List[str]:
    """
    Returns the names of the groups into which bounds divide the numbers from `lowest` on: `"0"`, `"1-4"` and `"5-"` for
    1 and 5. Raises `ConfigurationError` where bounds do not rise from above `lowest`.
    """
    edges = [lowest, *bounds]
    if any(low >= high for low, high in zip(edges, edges[1:], strict=False)):
        expected = f"numbers that rise, the first of them {lowest + 1} or more"
        raise ConfigurationError(f"found the bounds {bounds}, expected {expected}")
    names = [f"{low}-{high - 1}" if high - low > 1 else str(low) for low, high in zip(edges, edges[1:], strict=False)]
    return [*names, f"{edges[-1]}-"]


def by_frequency(frequencies: Mapping[str, int], bounds: Sequence[int]) -> Callable[[Sequence[str]], str]:
    """Makes the function that returns the group of words by the frequency of the rarest of them."""
    names = group_names(bounds)
    return lambda words: names[bisect(bounds, min(frequencies.get(word, 0) for word in words))]


def groupings(sentences: Sequence[Prediction], training: Optional[TrainingData]) -> Iterator[Grouping]:
    """Yields the groupings that the gold entities of sentences, and training data, if known, allow."""
    yield _by_number("length", "length of the entity", (2, 3, 4, 5, 7), lambda _, entity, __: entity.end - entity.start)
    if any(depth for sentence in sentences for depth in span_depths(sentence.gold).values()):
        yield Grouping(
            "depth",
            "depth",
            DEPTHS,
            lambda _, __, depth: DEPTHS[depth_group(depth)],
            "The number of entities around an entity: among gold ones for recall, among predicted ones for precision.",
        )
    length_title, position_title = "length of the sentence", "position of the sentence in its document"
    yield _by_number("sentence_length", length_title, (6, 11, 21, 41), lambda sentence, *_: len(sentence.words))
    positions = [sentence.position for sentence in sentences]
    if None not in positions and positions.count(1) > 1:
        yield _by_number("position", position_title, (2, 6, 21), lambda sentence, *_: sentence.position)
    if training is not None:
        yield from _by_training(training)


def _by_number(name: str, title: str, bounds: Sequence[int], number: Callable[..., int]) -> Grouping:
    names = group_names(bounds, lowest=1)
    return Grouping(name, title, names, lambda *entity: names[bisect(bounds, number(*entity))])


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


def _words(sentence: Prediction, entity: Entity) -> Sequence[str]:
    return sentence.words[entity.start : entity.end]

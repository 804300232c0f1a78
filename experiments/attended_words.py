"""
The words that nouns in entities attend to most, as in Table 4 of the dependency-aware paper (Aguilar and Solorio,
2019), from the output of `allennlp predict` with --use-dataset-reader and -o '{"model.extra_outputs": ["attention"]}':

    python -m experiments.attended_words PREDICTIONS.jsonl

For each word that is tagged as a noun and in a gold entity, the three words with the most weight count. The table has
for each type of entity the words that are most often among them; their parts of speech, by the first two letters of
their tags; and, as chance, the share of these parts of speech among all other words of the same sentences.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Tuple

from experiments.common import gold_entities, markdown, read_argument
from nerzoo.reports.svg import strongest

NEEDED = ("words", "gold_tags", "pos", "heads", "relative_attention")
NUM_ATTENDED = 3


@dataclass
class Attended:
    """The number of nouns in a type of entities, the words and parts of speech that they attend to, and chance."""

    num_nouns: int = 0
    words: Counter = field(default_factory=Counter)
    pos: Counter = field(default_factory=Counter)
    words_of_pos: Dict[str, Counter] = field(default_factory=lambda: defaultdict(Counter))
    chance: Counter = field(default_factory=Counter)


def entity_words(sentence: Dict[str, Any]) -> Iterator[Tuple[int, str]]:
    """The positions of words in gold entities, with the type of the entity."""
    for start, end, label in gold_entities(sentence):
        yield from ((position, label) for position in range(start, end))


def count(predictions: Iterable[Dict[str, Any]]) -> Dict[str, Attended]:
    """The attended words by type of entity, the most frequent type first."""
    types: Dict[str, Attended] = defaultdict(Attended)
    for sentence in predictions:
        words, pos = sentence["words"], [tag[:2] for tag in sentence["pos"]]
        for position, label in entity_words(sentence):
            if pos[position] != "NN" or len(words) == 1:
                continue
            attended = types[label]
            attended.num_nouns += 1
            others = [other for other in range(len(words)) if other != position]
            attended.chance.update({tag: n / len(others) for tag, n in Counter(pos[other] for other in others).items()})
            for other in strongest(sentence["relative_attention"][position], NUM_ATTENDED):
                word = words[other].lower()
                attended.words[word] += 1
                attended.pos[pos[other]] += 1
                attended.words_of_pos[pos[other]][word] += 1
    return dict(sorted(types.items(), key=lambda item: -item[1].num_nouns))


def table(types: Dict[str, Attended], num_pos: int = 3, num_words: int = 3) -> str:
    """A table of the most attended words and parts of speech."""
    rows = []
    for name, attended in types.items():
        total = attended.pos.total() or 1
        parts = [
            f"{pos} {n / total:.0%} ({attended.chance[pos] / attended.num_nouns:.0%}) "
            f"{_most(attended.words_of_pos[pos], num_words)}"
            for pos, n in attended.pos.most_common(num_pos)
        ]
        rows.append([name, str(attended.num_nouns), _most(attended.words, num_words), "; ".join(parts)])
    return markdown(["type", "nouns", "words", "part of speech: share (chance), its words"], rows)


def _most(words: Counter, number: int) -> str:
    shown: List[str] = [f"{word} {n}".replace("|", "\\|") for word, n in words.most_common(number)]
    return ", ".join(shown)


def main() -> None:
    print(table(count(read_argument(__doc__, NEEDED))))


if __name__ == "__main__":
    main()

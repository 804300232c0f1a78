"""
What nouns in entities attend to most, as in Table 4 of the dependency-aware paper (Aguilar and Solorio, 2019), from
what `allennlp predict` writes with --use-dataset-reader and -o '{"model.extra_outputs": ["attention"]}':

    python -m experiments.attended_words PREDICTIONS.jsonl

Of each word that is tagged as a noun and in a gold entity, the three words with the most weight count. By type of
entity: the words that are among them most often; the parts of speech that are, by the first two letters of their tags;
and, as chance, the share that parts of speech have of all other words of the same sentences.
"""

import argparse
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Tuple

from experiments.repeated_mentions import read
from nerzoo.reports.shapes import strongest
from nerzoo.text.tag_schemes import tags_to_entities

NEEDED = ("words", "gold_tags", "pos", "heads", "relative_attention")
NUM_ATTENDED = 3


@dataclass
class Attended:
    """Of a type of entities: how many nouns attend, which words and parts of speech they do to, and chance."""

    num_nouns: int = 0
    words: Counter = field(default_factory=Counter)
    pos: Counter = field(default_factory=Counter)
    words_of_pos: Dict[str, Counter] = field(default_factory=lambda: defaultdict(Counter))
    chance: Counter = field(default_factory=Counter)


def entity_words(sentence: Dict[str, Any]) -> Iterator[Tuple[int, str]]:
    """The positions of words in gold entities, with the type of the entity."""
    # The same entities whatever the scheme, which conlleval is not told either.
    for start, end, label in tags_to_entities(sentence["gold_tags"], "BIO"):
        yield from ((position, label) for position in range(start, end))


def count(predictions: Iterable[Dict[str, Any]]) -> Dict[str, Attended]:
    """What is attended to by type of entity, the most frequent type first."""
    types: Dict[str, Attended] = defaultdict(Attended)
    for sentence in predictions:
        words, pos = sentence["words"], [tag[:2] for tag in sentence["pos"]]
        for position, label in entity_words(sentence):
            if pos[position] != "NN" or len(words) == 1:
                continue
            of_type = types[label]
            of_type.num_nouns += 1
            others = [other for other in range(len(words)) if other != position]
            of_type.chance.update({tag: n / len(others) for tag, n in Counter(pos[other] for other in others).items()})
            for other in strongest(sentence["relative_attention"][position], NUM_ATTENDED):
                word = words[other].lower()
                of_type.words[word] += 1
                of_type.pos[pos[other]] += 1
                of_type.words_of_pos[pos[other]][word] += 1
    return dict(sorted(types.items(), key=lambda item: -item[1].num_nouns))


def table(types: Dict[str, Attended], num_pos: int = 3, num_words: int = 3) -> str:
    """A Markdown table of the most attended words and parts of speech."""
    lines = ["| type | nouns | words | part of speech: share (chance), its words |", "|---|---|---|---|"]
    for name, of_type in types.items():
        total = of_type.pos.total() or 1
        of_pos = [
            f"{pos} {n / total:.0%} ({of_type.chance[pos] / of_type.num_nouns:.0%}) "
            f"{_most(of_type.words_of_pos[pos], num_words)}"
            for pos, n in of_type.pos.most_common(num_pos)
        ]
        lines.append(f"| {name} | {of_type.num_nouns} | {_most(of_type.words, num_words)} | {'; '.join(of_pos)} |")
    return "\n".join(lines)


def _most(words: Counter, number: int) -> str:
    shown: List[str] = [f"{word} {n}".replace("|", "\\|") for word, n in words.most_common(number)]
    return ", ".join(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions", type=Path)
    print(table(count(read(parser.parse_args().predictions, NEEDED))))


if __name__ == "__main__":
    main()

"""
The scores of words that training had and of words that it did not have, from the configuration of a run and the output
of `allennlp predict` with --use-dataset-reader: a sentence a line, with `words`, `tags` and `gold_tags`.

A word is unseen if no sentence of the training file has it as it is written, an entity if one of its words is unseen.
Scored is what the model is scored by: entities, the main label or, for parts of speech, every tag, where precision and
recall are both the accuracy.

    python -m experiments.unseen_words SERIALIZATION_DIR/config.json PREDICTIONS.jsonl ...

Several files are several runs over the same text; the program prints mean and standard deviation over them.
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Collection, Dict, Iterable, List, Optional, Sequence, Set

from allennlp.common import Params

import nerzoo  # noqa: F401
from experiments.common import argument_parser, read, report, with_total
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import Entity, tags_to_entities
from nerzoo.text.matching import MatchCounter, MatchCounts

GROUPS = ("seen", "unseen")
Group = Callable[[Sequence[str]], str]
"""The name of a group, by the words of an entity."""


def by_training(known: Collection[str]) -> Group:
    """Tells whether training had all words."""
    return lambda words: "seen" if all(word in known for word in words) else "unseen"


def count_groups(
    predictions: Iterable[Dict[str, Any]],
    group: Group,
    names: Sequence[str],
    are_entities: bool = False,
    positive_label: Optional[str] = None,
) -> Dict[str, MatchCounts]:
    """The counts of words or entities in the predictions for sentences: of each of the named groups, and of `all`."""

    def scored(tags: List[str]) -> Set[Entity]:
        if are_entities:
            # As BIO, any scheme gives the same entities; conlleval is not told the scheme either.
            return set(tags_to_entities(tags, "BIO"))
        return {Entity(place, place + 1, tag) for place, tag in enumerate(tags) if positive_label in (None, tag)}

    counter = MatchCounter()
    for sentence in predictions:

        def group_by_words(entity: Entity, _: Any, words: List[str] = sentence["words"]) -> str:
            return group(words[entity.start : entity.end])

        counter.add(scored(sentence["tags"]), scored(sentence["gold_tags"]), group_by_words)
    return with_total(counter, names)


def read_config(path: str) -> Dict[str, Any]:
    """Reads the configuration of a run."""
    return Params.from_file(path).as_dict(quiet=True)


def training_words(config: Dict[str, Any]) -> Counter[str]:
    """The number of times that each word is in the file that a configuration trains on."""
    corpus = Corpus.from_params(Params({"corpus": config["dataset_reader"]["corpus"]})["corpus"])
    documents = corpus.read(config["train_data_path"])
    return Counter(word for document in documents for sentence in document.sentences for word in sentence.words)


def config_parser(description: str) -> argparse.ArgumentParser:
    """A parser of the path of a configuration and those of predictions."""
    parser = argument_parser(description)
    parser.add_argument("config", type=read_config)
    parser.add_argument("predictions", type=Path, nargs="+")
    return parser


def report_groups(config: Dict[str, Any], files: List[Path], group: Group, names: Sequence[str]) -> None:
    """Prints the scores of each group over the runs in the files: those that the model of the configuration has."""
    positive_label = config["model"].get("head", {}).get("positive_label")
    predictions = [read(path, ("words", "tags", "gold_tags")) for path in files]
    are_entities = all("entities" in sentence for run in predictions for sentence in run)
    runs = [count_groups(run, group, names, are_entities, positive_label) for run in predictions]
    report("entities" if are_entities else "words", runs, 0.5 if positive_label else 1)


def main() -> None:
    args = config_parser(__doc__).parse_args()
    report_groups(args.config, args.predictions, by_training(training_words(args.config)), GROUPS)


if __name__ == "__main__":
    main()

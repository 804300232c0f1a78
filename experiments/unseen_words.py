"""
The scores of words that training had, and of those that it did not, each by themselves, from the configuration of a run
and what `allennlp predict` writes with --use-dataset-reader: a sentence a line, with `words`, `tags` and `gold_tags`.

A word is unseen if no sentence of the training file has it as it is written, an entity if one of its words is. What is
scored is what the model is scored by: entities, the main label or, for parts of speech, every tag, where precision and
recall are both the accuracy.

    python -m experiments.unseen_words SERIALIZATION_DIR/config.json PREDICTIONS.jsonl ...

Several files are several runs over the same text; what is printed is mean and standard deviation over them.
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Collection, Dict, Iterable, List, Optional, Sequence, Set

from allennlp.common import Params

import nerzoo  # noqa: F401
from experiments.repeated_mentions import Counts, read, report
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import Entity
from nerzoo.text.tag_schemes import tags_to_entities

GROUPS = ("seen", "unseen")


def count_words(
    predictions: Iterable[Dict[str, Any]],
    known: Collection[str],
    are_entities: bool = False,
    positive_label: Optional[str] = None,
) -> Dict[str, Counts]:
    """The counts of `seen`, `unseen` and `all` words or entities in the predictions for sentences."""
    return count_groups(predictions, by_training(known), GROUPS, are_entities, positive_label)


def by_training(known: Collection[str]) -> Callable[[Sequence[str]], str]:
    """Says of words whether training had all of them."""
    return lambda words: "seen" if all(word in known for word in words) else "unseen"


def count_groups(
    predictions: Iterable[Dict[str, Any]],
    group: Callable[[Sequence[str]], str],
    names: Sequence[str],
    are_entities: bool = False,
    positive_label: Optional[str] = None,
) -> Dict[str, Counts]:
    """
    The counts of words or entities in the predictions for sentences: of each of the groups with these `names`, to which
    `group` puts them by their words, and of `all`.
    """

    def scored(tags: List[str]) -> Set[Entity]:
        if are_entities:
            # The same entities whatever the scheme, which conlleval is not told either.
            return set(tags_to_entities(tags, "BIO"))
        return {Entity(place, place + 1, tag) for place, tag in enumerate(tags) if positive_label in (None, tag)}

    counts = {name: Counts() for name in (*names, "all")}
    for sentence in predictions:
        predicted, gold = scored(sentence["tags"]), scored(sentence["gold_tags"])
        groups = {entity: group(sentence["words"][entity.start : entity.end]) for entity in predicted | gold}
        for name in names:
            members = {entity for entity in groups if groups[entity] == name}
            counts[name].add(predicted & members, gold & members)
        counts["all"].add(predicted, gold)
    return counts


def training_words(config: Dict[str, Any]) -> Counter[str]:
    """How often each word is in the file that a configuration trains on."""
    corpus = Corpus.from_params(Params({"corpus": config["dataset_reader"]["corpus"]})["corpus"])
    documents = corpus.read(config["train_data_path"])
    return Counter(word for document in documents for sentence in document.sentences for word in sentence.words)


def report_groups(
    config: Dict[str, Any], files: List[Path], group: Callable[[Sequence[str]], str], names: Sequence[str]
) -> None:
    """Prints the scores of each group over the runs in the files: those that the model of the configuration has."""
    positive_label = config["model"].get("head", {}).get("positive_label")
    predictions = [read(path, ("words", "tags", "gold_tags")) for path in files]
    are_entities = all("entities" in sentence for run in predictions for sentence in run)
    runs = [count_groups(run, group, names, are_entities, positive_label) for run in predictions]
    report("entities" if are_entities else "words", runs, "precision", "recall", "f05" if positive_label else "f1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("predictions", type=Path, nargs="+")
    args = parser.parse_args()
    config = Params.from_file(args.config).as_dict(quiet=True)
    known = training_words(config)
    report_groups(config, args.predictions, by_training(known), GROUPS)


if __name__ == "__main__":
    main()

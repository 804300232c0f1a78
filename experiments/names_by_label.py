"""
The scores of names by the label of their arc, from a file with gold trees and the output of `nerzoo predict` with
--use-dataset-reader: a sentence a line, in the order of the file, with `words`, `gold_tags` and `entities`.

The arc of a name leads to its first word whose head is not in the name. Of a label such as `nmod:poss`, the universal
part counts, `nmod`. Labels with fewer than 20 gold names are `other` ones.

    python -m experiments.names_by_label TREES.conllu.gz PREDICTIONS.jsonl ...

Several files are several runs over the same text; the program prints mean and standard deviation over them.
"""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Sequence

from allennlp.common.checks import ConfigurationError

from experiments.common import argument_parser, gold_entities, predicted_entities, read, report, with_total
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.text.annotation import Entity, Sentence
from nerzoo.text.matching import MatchCounter, MatchCounts

NEEDED = ("words", "gold_tags", "entities")
RARE = 20
OTHER = "other"


def arc_label(sentence: Sentence, entity: Entity) -> str:
    """Returns the universal part of the label of a name's arc, given a sentence with its tree."""
    heads, labels = sentence.heads or [], sentence.dep_labels or []
    inside = range(entity.start + 1, entity.end + 1)  # as heads are counted
    top = next(place for place in range(entity.start, entity.end) if heads[place] not in inside)
    return labels[top].split(":")[0]


def frequent_labels(trees: Sequence[Sentence]) -> List[str]:
    """Returns the labels of at least `RARE` gold names, most frequent first."""
    counts = Counter(arc_label(sentence, entity) for sentence in trees for entity in sentence.entities)
    return [label for label, count in counts.most_common() if count >= RARE]


def count_labels(
    trees: Sequence[Sentence], predictions: Sequence[Dict[str, Any]], names: Sequence[str]
) -> Dict[str, MatchCounts]:
    """
    The counts of the labels with these names, of all other ones, and of `all`. Raises `ConfigurationError` where the
    predictions are not for the sentences with these trees.
    """
    if [prediction["words"] for prediction in predictions] != [sentence.words for sentence in trees]:
        found = f"predictions for {len(predictions)} sentences"
        raise ConfigurationError(f"found {found}, expected some for the {len(trees)} sentences with trees")
    counter = MatchCounter()
    for sentence, prediction in zip(trees, predictions, strict=True):
        predicted = set(predicted_entities(prediction))
        counter.add(predicted, gold_entities(prediction), partial(_label, sentence=sentence, names=names))
    return with_total(counter, (*names, OTHER))


def _label(entity: Entity, _: int, sentence: Sentence, names: Sequence[str]) -> str:
    label = arc_label(sentence, entity)
    return label if label in names else OTHER


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("trees")
    parser.add_argument("predictions", type=Path, nargs="+")
    args = parser.parse_args()
    trees = [sentence for document in ConlluCorpus().read(args.trees) for sentence in document.sentences]
    names = frequent_labels(trees)
    report("label", [count_labels(trees, read(path, NEEDED), names) for path in args.predictions])


if __name__ == "__main__":
    main()

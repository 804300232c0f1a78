"""
The scores of the output of `allennlp predict --use-dataset-reader` over all entities of a file, nested ones too; and
those of the file's own outermost entities, the best that a flat tagger can reach.

    python -m experiments.nested_scores PREDICTIONS.jsonl FILE [--corpus '{"type": "columns", "tag_column": [1, 2]}']
"""

import json
from pathlib import Path
from typing import Dict, List

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from experiments import common
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import Entity, Sentence, layer
from nerzoo.training.metrics.nested_span_f1 import NestedSpanF1


def scores(found: List[List[Entity]], sentences: List[Sentence]) -> Dict[str, float]:
    gold = [sentence.entities for sentence in sentences]
    types = {entity.label: 1 for entities in [*gold, *found] for entity in entities}
    metric = NestedSpanF1(Vocabulary({"labels": types}, non_padded_namespaces=["labels"]), per_depth=True)
    metric(found, gold)
    return metric.get_metric()


def read(path: Path, sentences: List[Sentence]) -> List[List[Entity]]:
    """Raises `ConfigurationError` where the predictions are not those for the sentences."""
    predictions = common.read(path, ("words", "entities"))
    if [sentence.words for sentence in sentences] != [prediction["words"] for prediction in predictions]:
        raise ConfigurationError(f"{path}: found other sentences than those of the file, expected the same in order")
    return [common.predicted_entities(prediction) for prediction in predictions]


def main() -> None:
    parser = common.argument_parser(__doc__)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("file")
    parser.add_argument("--corpus", type=json.loads, default={"type": "conllu"})
    args = parser.parse_args()
    corpus = Corpus.from_params(Params(args.corpus))
    sentences = [sentence for document in corpus.read(args.file) for sentence in document.sentences]
    outermost = [layer(sentence.entities, "outermost") for sentence in sentences]
    for title, found in ((args.predictions, read(args.predictions, sentences)), ("outermost entities", outermost)):
        print(title)
        for name, value in scores(found, sentences).items():
            print(f"  {name:<20} {100 * value:5.1f}")


if __name__ == "__main__":
    main()

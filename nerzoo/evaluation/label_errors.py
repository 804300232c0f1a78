"""Detection of annotation errors by predictions of models that were not trained on the annotation."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from nerzoo.errors import format_error
from nerzoo.evaluation.gold import overlap
from nerzoo.formats.jsonl import Prediction, read_predictions
from nerzoo.text.annotation import Entity

KINDS = ("missing", "spurious", "type", "boundary")
"""The kinds of errors: an entity is not annotated, is annotated wrongly, or has the wrong type or boundary."""


@dataclass(frozen=True)
class LabelError:
    """
    A difference between annotation and prediction in a sentence, of which `index` is the number among all sentences,
    from 0. Its `kind` is one of `KINDS`. `annotated` is the annotated entity, `None` for a missing one, and
    `probability` its probability or, for a missing one, the probability that there is no entity. `believed` are the
    predicted entities in its place, and `probabilities` their probabilities.
    """

    index: int
    location: str
    document_id: Optional[str]
    words: List[str]
    kind: str
    annotated: Optional[Entity]
    believed: List[Entity]
    probability: float
    probabilities: List[float]

    def to_json(self) -> Dict[str, Any]:
        """Returns the error as `nerzoo find-label-errors` writes it."""

        def described(entity: Entity, probability: float) -> Dict[str, Any]:
            text = " ".join(self.words[entity.start : entity.end])
            return {**entity._asdict(), "text": text, "probability": probability}

        return {
            "index": self.index,
            "location": self.location,
            **({} if self.document_id is None else {"doc_id": self.document_id}),
            "kind": self.kind,
            "probability": self.probability,
            "annotated": None if self.annotated is None else described(self.annotated, self.probability),
            "believed": [described(*pair) for pair in zip(self.believed, self.probabilities, strict=True)],
            "sentence": " ".join(self.words),
            "words": self.words,
        }


def has_gold_probabilities(predictions: Sequence[Prediction]) -> bool:
    """Returns whether predictions have probabilities of gold entities; the first sentence with gold entities tells."""
    return next((sentence.gold_probabilities is not None for sentence in predictions if sentence.gold), False)


def find_label_errors(paths: Sequence[str]) -> List[LabelError]:
    """
    Finds the annotation errors in files that `cross-validate --predict` or `cross-predict` have written with the extra
    output `gold_entities`, see `disagreements`. Raises `ConfigurationError`, naming file and line, where a sentence has
    no entities or gold entities, or one of them no probability, and where there is no sentence.
    """
    predictions = [_checked(sentence) for path in paths for sentence in read_predictions(path)]
    if not predictions:
        raise format_error(", ".join(map(str, paths)), "no sentence", "at least one")
    return disagreements(predictions)


def disagreements(predictions: Sequence[Prediction]) -> List[LabelError]:
    """
    Returns the differences between annotation and prediction, in the order of the probability of the annotation, called
    self-confidence by Northcutt, Jiang and Chuang ("Confident Learning", 2021, section 3.2), lowest first. The models
    must not have been trained on these sentences. An annotated entity that is not predicted has the wrong type where a
    predicted entity has the same words, the wrong boundary where one shares some of its words, and is spurious
    otherwise. A predicted entity is missing in the annotation if it is not annotated and shares no word with such an
    entity. Raises `ConfigurationError` where an entity has no probability.
    """
    errors = [error for index, sentence in enumerate(predictions) for error in _sentence_errors(sentence, index)]
    return sorted(errors, key=lambda error: error.probability)


def _checked(sentence: Prediction) -> Prediction:
    for name in ("gold_entities", "entities"):
        if sentence.outputs.get("words") != [] and sentence.outputs.get(name) is None:
            hint = """`nerzoo cross-validate --predict -o '{"model.extra_outputs": ["gold_entities"]}'`"""
            raise format_error(sentence.location, f"no {name}", f"predictions with {name}, as {hint} writes them")
    return sentence._replace(outputs={})


def _sentence_errors(sentence: Prediction, index: int) -> List[LabelError]:
    gold = _probabilities(sentence, "gold_entities", sentence.gold, sentence.gold_probabilities)
    predicted = _probabilities(sentence, "entities", sentence.predicted, sentence.probabilities)

    errors: List[LabelError] = []

    def add(kind: str, annotated: Optional[Entity], believed: List[Entity], probability: float) -> None:
        probabilities = [predicted[entity] for entity in believed]
        place = index, sentence.location, sentence.document_id, sentence.words
        errors.append(LabelError(*place, kind, annotated, believed, probability, probabilities))

    missing = [entity for entity in predicted if entity not in gold]
    for annotated in (entity for entity in gold if entity not in predicted):
        believed = [entity for entity in predicted if entity not in gold and overlap(entity, annotated)]
        missing = [entity for entity in missing if entity not in believed]
        same_span = any(entity[:2] == annotated[:2] for entity in believed)
        add("type" if same_span else "boundary" if believed else "spurious", annotated, believed, gold[annotated])
    for entity in missing:
        add("missing", None, [entity], 1 - predicted[entity])
    return sorted(errors, key=lambda error: (error.annotated or error.believed[0]).start)


def _probabilities(
    sentence: Prediction, name: str, entities: Sequence[Entity], probabilities: Optional[Sequence[float]]
) -> Dict[Entity, float]:
    if entities and probabilities is None:
        raise format_error(sentence.location, f"{name} without probabilities", "a probability of each")
    return dict(zip(entities, probabilities or (), strict=True))

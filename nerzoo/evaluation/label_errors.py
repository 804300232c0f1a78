"""Annotation that is probably wrong, found by predictions of models that were not trained on it."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from nerzoo.errors import format_error
from nerzoo.formats.json_text import json_object
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import Line, read_lines
from nerzoo.text.annotation import Entity

KINDS = ("missing", "spurious", "type", "boundary")
"""What may be wrong: an entity is not annotated, one is none, its type is another, it starts or ends elsewhere."""


@dataclass(frozen=True)
class LabelError:
    """
    A place where annotation and prediction differ.

    # Parameters

    index : `int`
        The number of the sentence among all sentences, from 0.
    location : `str`
        The file and line of its prediction.
    document_id : `str`, optional
    words : `List[str]`
        The words of the sentence.
    kind : `str`
        One of `KINDS`.
    annotated : `Entity`, optional
        The entity that is annotated; none where one is missing.
    believed : `List[Entity]`
        The predicted entities in its place.
    probability : `float`
        The probability of what is annotated: of the entity or, where one is missing, that there is none.
    probabilities : `List[float]`
        Those of the predicted entities.
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
        """Returns the error as `allennlp find-label-errors` writes it."""

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


def holds_gold_probabilities(path: str) -> bool:
    """
    Returns whether a file of predictions has what `find_label_errors` needs, the probabilities of gold entities. The
    first sentence with gold entities tells.
    """
    objects = (json_object(line) for line in read_lines(path) if not line.is_blank)
    gold = (obj["gold_entities"] for obj in objects if obj.get("gold_entities"))
    return "probability" in next(gold, [{}])[0]


def find_label_errors(paths: Sequence[str]) -> List[LabelError]:
    """
    Finds the annotation that models which were not trained on it believe least: where annotation and prediction differ,
    in the order of the probability of what is annotated, called self-confidence by Northcutt, Jiang and Chuang
    ("Confident Learning", 2021, section 3.2), lowest first. An annotated entity that is not predicted is an error of
    the type where a predicted one has its words, of the boundary where one has some of them, and else spurious; a
    predicted entity that shares no word with such an entity, and is not annotated, is missing.

    # Parameters

    paths : `Sequence[str]`
        Files that `cross-validate --predict` or `cross-predict` have written, with the extra output `gold_entities`.

    # Raises

    `ConfigurationError`, naming file and line, where a sentence has no entities or gold entities, or one of them no
    probability, and where there is no sentence.
    """
    errors: List[LabelError] = []
    index = 0
    for path in paths:
        for line in read_lines(path):
            if not line.is_blank:
                errors.extend(_of_sentence(json_object(line), line, index))
                index += 1
    if not index:
        raise format_error(", ".join(map(str, paths)), "no sentence", "at least one")
    return sorted(errors, key=lambda error: error.probability)


def _of_sentence(obj: Dict[str, Any], line: Line, index: int) -> List[LabelError]:
    if obj.get("words") == []:
        return []
    gold, predicted = (_probabilities(obj, name, line) for name in ("gold_entities", "entities"))
    words, document_id = obj["words"], obj.get("doc_id")
    others = [entity for entity in predicted if entity not in gold]
    errors: List[LabelError] = []
    for annotated in gold.keys() - predicted.keys():
        believed = [entity for entity in others if entity.start < annotated.end and annotated.start < entity.end]
        if any(entity[:2] == annotated[:2] for entity in believed):
            kind = "type"
        else:
            kind = "boundary" if believed else "spurious"
        probabilities = [predicted[entity] for entity in believed]
        error = LabelError(
            index, str(line), document_id, words, kind, annotated, believed, gold[annotated], probabilities
        )
        errors.append(error)
    in_place_of_others = {entity for error in errors for entity in error.believed}
    for entity in others:
        if entity not in in_place_of_others:
            probability = predicted[entity]
            error = LabelError(
                index, str(line), document_id, words, "missing", None, [entity], 1 - probability, [probability]
            )
            errors.append(error)
    return sorted(errors, key=lambda error: (error.annotated or error.believed[0]).start)


def _probabilities(obj: Dict[str, Any], name: str, line: Line) -> Dict[Entity, float]:
    """Returns the probability of each of the entities that a prediction has under a name."""
    if obj.get(name) is None:
        hint = """`allennlp cross-validate --predict -o '{"model.extra_outputs": ["gold_entities"]}'`"""
        raise format_error(line, f"no {name}", f"predictions with {name}, as {hint} writes them")
    sentence = sentence_from_json({"words": obj.get("words"), "entities": obj[name]}, line)
    if sentence.entities and sentence.probabilities is None:
        raise format_error(line, f"{name} without probabilities", "a probability of each")
    return dict(zip(sentence.entities, sentence.probabilities or (), strict=True))

from dataclasses import asdict
from typing import Any, Dict, Optional, Sequence

import numpy

from nerzoo.evaluation.calibration import reliability
from nerzoo.reporting.evaluated_sentence import EvaluatedSentence


def calibration(sentences: Sequence[EvaluatedSentence], types: Sequence[str]) -> Optional[Dict[str, Any]]:
    """
    Compares the probabilities of predicted entities with how many of them are correct, by boundary and type.

    # Returns

    `Dict[str, Any]`, optional
        `overall` and, by type, `by_type`: each the fields of a `Reliability`, and the number of entities as `count`;
        `None` where some predicted entity has no probability, or there is none.
    """
    found = [sentence for sentence in sentences if sentence.predicted]
    if not found or any(sentence.probabilities is None for sentence in found):
        return None
    probabilities = numpy.array([value for sentence in found for value in sentence.probabilities or ()])
    entities = [(entity, sentence.gold) for sentence in found for entity in sentence.predicted]
    correct = numpy.array([entity in gold for entity, gold in entities])
    labels = numpy.array([entity.label for entity, _ in entities])

    def of(which: numpy.ndarray) -> Dict[str, Any]:
        return {"count": int(which.sum()), **asdict(reliability(probabilities[which], correct[which]))}

    return {"overall": of(labels == labels), "by_type": {type_: of(labels == type_) for type_ in types}}

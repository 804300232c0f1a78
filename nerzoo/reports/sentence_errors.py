from typing import Any, Dict, List, Optional, Sequence

from nerzoo.reports.evaluated_sentence import EvaluatedSentence
from nerzoo.reports.matching import CORRECT, match_entities
from nerzoo.reports.system import System
from nerzoo.text.annotation import Entity


def sentence_errors(systems: Sequence[System]) -> List[Dict[str, Any]]:
    """
    Describes the sentences in which some run of some system is not right, those with the most errors first.

    # Returns

    `List[Dict[str, Any]]`
        Of each sentence its `index`, from 0, `location`, `document_id` and `words`, its `gold` entities, `num_errors`,
        the sum over systems of their means over runs, and for each of the `systems` its `num_errors` and `runs`: what
        is `predicted`, and the `errors`, each with its `kind`, the `gold` and the `predicted` entity, either of which
        may be `None`.
    """
    found = []
    for index, sentence in enumerate(systems[0].runs[0]):
        of_systems: List[Dict[str, Any]] = []
        for system in systems:
            runs = [_run(run[index]) for run in system.runs]
            num_errors = sum(len(run["errors"]) for run in runs) / len(runs)
            of_systems.append({"name": system.name, "num_errors": num_errors, "runs": runs})
        total = sum(of_system["num_errors"] for of_system in of_systems)
        if total:
            found.append(
                {
                    "index": index,
                    "location": sentence.location,
                    "document_id": sentence.document_id,
                    "words": sentence.words,
                    "gold": [_json(entity) for entity in sentence.gold],
                    "num_errors": total,
                    "systems": of_systems,
                }
            )
    return sorted(found, key=lambda entry: -entry["num_errors"])


def _run(sentence: EvaluatedSentence) -> Dict[str, Any]:
    predicted = [_json(entity) for entity in sentence.predicted]
    for entity, probability in zip(predicted, sentence.probabilities or (), strict=False):
        entity["probability"] = probability
    matches = match_entities(sentence.gold, sentence.predicted)
    errors = [
        {"kind": match.kind, "gold": _optional(match.gold), "predicted": _optional(match.predicted)}
        for match in matches
        if match.kind != CORRECT
    ]
    return {"predicted": predicted, "errors": errors}


def _json(entity: Entity) -> Dict[str, Any]:
    return dict(entity._asdict())


def _optional(entity: Optional[Entity]) -> Optional[Dict[str, Any]]:
    return None if entity is None else _json(entity)

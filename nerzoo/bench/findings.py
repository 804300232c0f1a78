"""What the predictions of several systems say beside each other."""

from collections import Counter
from itertools import combinations
from typing import Any, Dict, List, Sequence, Tuple

import numpy

from nerzoo.data.annotation import Entity
from nerzoo.evaluation.sentence_counts import sentence_counts
from nerzoo.evaluation.significance import holm, paired_significance
from nerzoo.reporting.system import System

SIGNIFICANCE_LEVEL = 0.05
_EXAMPLES = 5


def differences(
    systems: Sequence[System], num_resamples: int, seed: int
) -> Tuple[Dict[str, Any], List[Dict[str, Any]]]:
    """
    Compares the F1 of all pairs of systems.

    # Returns

    `Tuple[Dict[str, Any], List[Dict[str, Any]]]`
        The 95 % interval of each system's F1, by its name; and of each pair its `first` and `second` system, the
        `difference`, its `confidence_interval`, its `p_value` and, after Holm's correction over all pairs, `corrected`.
    """
    # shape: (R, N, 2) each
    counts = {system.name: numpy.stack(list(map(_counts, system.runs))) for system in systems}
    intervals: Dict[str, Any] = {}
    found: List[Dict[str, Any]] = []
    pairs = list(combinations(counts, 2)) or [(systems[0].name, systems[0].name)]
    for first, second in pairs:
        result = paired_significance(counts[first], counts[second], num_resamples, seed)
        intervals.setdefault(first, list(result.first_interval))
        intervals.setdefault(second, list(result.second_interval))
        found.append(
            {
                "first": first,
                "second": second,
                "difference": result.difference,
                "confidence_interval": list(result.difference_interval),
                "p_value": result.p_value,
            }
        )
    if len(counts) == 1:
        return intervals, []
    corrected = holm([pair["p_value"] for pair in found])
    return intervals, [{**pair, "corrected": p_value} for pair, p_value in zip(found, corrected, strict=True)]


def alone(systems: Sequence[System]) -> Dict[str, Any]:
    """
    Says which gold entities are found by one system and by no other one. A system finds what most of its runs find.

    # Returns

    `Dict[str, Any]`
        `by_system`: for each the `count` and some `examples`; `by_none` and `by_any`, numbers of entities.
    """
    found: Dict[str, List[Dict[str, Any]]] = {system.name: [] for system in systems}
    by_none = by_any = 0
    for sentences in zip(*(zip(*system.runs, strict=True) for system in systems), strict=True):
        finders: Dict[Entity, List[str]] = {entity: [] for entity in sentences[0][0].gold}
        for system, of_runs in zip(systems, sentences, strict=True):
            votes = Counter(entity for sentence in of_runs for entity in {*sentence.predicted})
            for entity, names in finders.items():
                if 2 * votes[entity] > len(of_runs):
                    names.append(system.name)
        for entity, names in finders.items():
            by_none += not names
            by_any += bool(names)
            if len(names) == 1:
                words = sentences[0][0].words
                text = " ".join(words[entity.start : entity.end])
                found[names[0]].append({"text": text, "label": entity.label, "sentence": " ".join(words)})
    return {
        "by_system": {
            name: {"count": len(entities), "examples": entities[:_EXAMPLES]} for name, entities in found.items()
        },
        "by_none": by_none,
        "by_any": by_any,
    }


def _counts(run: Sequence[Any]) -> numpy.ndarray:
    return sentence_counts("f1", [sentence.predicted for sentence in run], [sentence.gold for sentence in run])

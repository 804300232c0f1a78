from itertools import groupby
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

import numpy

from nerzoo.evaluation.significance import holm, paired_significance
from nerzoo.reports.scores import SCHEMES, scheme_counts
from nerzoo.reports.system import System

_PREDICTED, _GOLD = -2, -1


class _Measure(NamedTuple):
    scheme: str
    measure: str
    type: Optional[str] = None

    def of(self, counts: numpy.ndarray) -> numpy.ndarray:
        """Returns numerator and denominator, (R, N, 2), of counts (R, N, 6)."""
        correct = counts[..., SCHEMES.index(self.scheme)]
        parts = {
            "precision": (correct, counts[..., _PREDICTED]),
            "recall": (correct, counts[..., _GOLD]),
            "f1": (2 * correct, counts[..., _PREDICTED] + counts[..., _GOLD]),
        }
        return numpy.stack(parts[self.measure], -1)


def compare_systems(
    first: System, second: System, types: Sequence[str], num_resamples: int = 9999, seed: int = 13370
) -> Dict[str, Any]:
    """
    Compares two systems as `nerzoo.evaluation.comparison.compare` does, by all scores that a report has.

    # Parameters

    first, second : `System`
        Of the same sentences.
    types : `Sequence[str]`
        The types of entities that are compared by themselves.
    num_resamples, seed : `int`, optional
        As in `paired_significance`.

    # Returns

    `Dict[str, Any]`
        The names of the `first` and the `second` system; `rows`, each with its `scheme`, `measure` and `type`, the
        scores of the `first` and the `second`, their `difference`, its `confidence_interval` and its `p_value`, both
        `None` where there is one sentence alone; and `differing`, the indices of the sentences for which the first runs
        of the two predict other entities. Rows of types have a `corrected_p_value`, too, see `holm`, since they are as
        many tests as there are types; their scores are resampled over the sentences that have the type, since others
        change nothing.
    """
    measures = [_Measure("strict", measure) for measure in ("precision", "recall", "f1")]
    measures += [_Measure(scheme, "f1") for scheme in SCHEMES[1:]]
    measures += [_Measure("strict", "f1", type_) for type_ in types]
    rows = list(_rows(first, second, measures, num_resamples, seed))
    of_types = [row for row in rows if row["type"] is not None and row["p_value"] is not None]
    for row, p_value in zip(of_types, holm([row["p_value"] for row in of_types]), strict=True):
        row["corrected_p_value"] = p_value
    return {
        "first": first.name,
        "second": second.name,
        "rows": rows,
        "differing": [
            index
            for index, (sentence, other) in enumerate(zip(first.runs[0], second.runs[0], strict=True))
            if {*sentence.predicted} != {*other.predicted}
        ],
    }


def _rows(
    first: System, second: System, measures: List[_Measure], num_resamples: int, seed: int
) -> Iterator[Dict[str, Any]]:
    for label, of_label in groupby(measures, key=lambda measure: measure.type):
        # shape: (R, N, 6) each
        counts = [numpy.stack([scheme_counts(run, label) for run in system.runs]) for system in (first, second)]
        if label is not None:
            present = sum(of_system.sum((0, 2)) for of_system in counts) > 0
            counts = [of_system[:, present] for of_system in counts]
        for measure in of_label:
            yield {
                **measure._asdict(),
                **_difference(measure.of(counts[0]), measure.of(counts[1]), num_resamples, seed),
                "corrected_p_value": None,
            }


def _difference(first: numpy.ndarray, second: numpy.ndarray, num_resamples: int, seed: int) -> Dict[str, Any]:
    if first.shape[1] < 2:
        scores = [float((sums[:, 0] / numpy.maximum(sums[:, 1], 1)).mean()) for sums in (first.sum(1), second.sum(1))]
        differences = {"first": scores[0], "second": scores[1], "difference": scores[0] - scores[1]}
        return {**differences, "confidence_interval": None, "p_value": None}
    result = paired_significance(first, second, num_resamples, seed)
    return {
        "first": result.first,
        "second": result.second,
        "difference": result.difference,
        "confidence_interval": list(result.difference_interval),
        "p_value": result.p_value,
    }

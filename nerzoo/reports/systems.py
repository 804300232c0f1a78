"""The systems of a report: predictions of several runs for the same sentences, and their comparison."""

from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.evaluation.gold import read_with_gold
from nerzoo.evaluation.significance import holm, paired_significance
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.predictions import Prediction
from nerzoo.reports.scores import SCHEMES, scheme_counts
from nerzoo.text.annotation import ordered


class System(NamedTuple):
    """A system, and the predictions of each of its runs, which differ in their seeds, for the same sentences."""

    name: str
    files: List[str]
    runs: List[List[Prediction]]


def read_systems(
    files: Sequence[Sequence[str]],
    names: Optional[Sequence[str]] = None,
    gold: Optional[Sequence[Prediction]] = None,
    gold_path: str = "",
    corpus: Optional[Corpus] = None,
) -> List[System]:
    """
    Reads the predictions of systems, given the files of the runs of each, with `gold`, `gold_path` and `corpus` as in
    `read_with_gold`. By default, the name of a system is that of its first file, or its whole path, where names repeat.
    Raises `ConfigurationError` as `read_with_gold` does; where there is no sentence, a probability is not from 0 to 1,
    a system has a file twice, or names repeat.
    """
    for paths in files:
        if not paths or len({*paths}) < len(paths):
            raise ConfigurationError(f"found the files {list(paths)} of a system, expected each of its runs once")
    if names is None or not names:
        first = [paths[0] for paths in files]
        stems = [Path(path).name.partition(".")[0] for path in first]
        names = stems if len({*stems}) == len(stems) else first
    if not files or len(names) != len(files) or len({*names}) < len(names):
        raise ConfigurationError(
            f"found the names {list(names)} for {len(files)} systems, expected a different one for each"
        )
    runs = read_with_gold([path for paths in files for path in paths], "entities", gold, gold_path, corpus)
    # Any of the files may know the documents.
    places = list(_places(zip(*runs.values(), *([gold] if gold else []), strict=True)))
    for path, run in runs.items():
        if not run:
            raise format_error(path, "no sentence", "at least one")
        for number, (sentence, (document_id, position)) in enumerate(zip(run, places, strict=True)):
            strange = [probability for probability in sentence.probabilities or () if not 0 <= probability <= 1]
            if strange:
                raise format_error(sentence.location, f"the probability {strange[0]}", "one from 0 to 1")
            place: Dict[str, Any] = {"document_id": document_id, "position": position, "document": ()}
            run[number] = sentence._replace(gold=ordered(sentence.gold), **place)
    return [System(name, list(paths), [runs[path] for path in paths]) for name, paths in zip(names, files, strict=True)]


def _places(sentences: Iterator[Tuple[Prediction, ...]]) -> Iterator[Tuple[Optional[str], Optional[int]]]:
    """Yields the document of each sentence and its position there; a document's sentences follow one another."""
    ids = (next((each.document_id for each in runs if each.document_id is not None), None) for runs in sentences)
    for document_id, group in groupby(ids):
        for position, _ in enumerate(group, start=1):
            yield document_id, None if document_id is None else position


class _Measure(NamedTuple):
    scheme: str
    measure: str
    type: Optional[str] = None

    def ratios(self, counts: numpy.ndarray) -> numpy.ndarray:
        """Returns numerator and denominator, (R, N, 2), from counts (R, N, 6)."""
        correct, predicted, gold = counts[..., SCHEMES.index(self.scheme)], counts[..., -2], counts[..., -1]
        parts = {"precision": (correct, predicted), "recall": (correct, gold), "f1": (2 * correct, predicted + gold)}
        return numpy.stack(parts[self.measure], -1)


def compare_systems(
    first: System, second: System, types: Sequence[str], num_resamples: int = 9999, seed: int = 13370
) -> Dict[str, Any]:
    """
    Compares two systems by all scores of a report, and by the strict F1 of each type, as
    `nerzoo.evaluation.comparison.compare` does. Returns the names of the `first` and the `second` system; `rows`, each
    with its `scheme`, `measure` and `type`, the scores of the `first` and the `second`, their `difference`, its
    `confidence_interval` and its `p_value`, both `None` for a single sentence; and `differing`, the indices of the
    sentences for which the first runs of the two predict different entities. Rows of types also have a
    `corrected_p_value`, see `holm`, since there is a test for each type; their scores are resampled over the sentences
    that have the type, since others change nothing.
    """
    measures = [_Measure("strict", measure) for measure in ("precision", "recall", "f1")]
    measures += [_Measure(scheme, "f1") for scheme in SCHEMES[1:]]
    measures += [_Measure("strict", "f1", type_) for type_ in types]
    rows = list(_rows(first, second, measures, num_resamples, seed))
    type_rows = [row for row in rows if row["type"] is not None and row["p_value"] is not None]
    for row, p_value in zip(type_rows, holm([row["p_value"] for row in type_rows]), strict=True):
        row["corrected_p_value"] = p_value
    pairs = enumerate(zip(first.runs[0], second.runs[0], strict=True))
    differing = [index for index, (sentence, other) in pairs if {*sentence.predicted} != {*other.predicted}]
    return {"first": first.name, "second": second.name, "rows": rows, "differing": differing}


def _rows(
    first: System, second: System, measures: List[_Measure], num_resamples: int, seed: int
) -> Iterator[Dict[str, Any]]:
    for label, group in groupby(measures, key=lambda measure: measure.type):
        # shape: (R, N, 6) each
        counts = [numpy.stack([scheme_counts(run, label) for run in system.runs]) for system in (first, second)]
        if label is not None:
            present = sum(system_counts.sum((0, 2)) for system_counts in counts) > 0
            counts = [system_counts[:, present] for system_counts in counts]
        for measure in group:
            difference = _difference(measure.ratios(counts[0]), measure.ratios(counts[1]), num_resamples, seed)
            yield {**measure._asdict(), **difference, "corrected_p_value": None}


def _difference(first: numpy.ndarray, second: numpy.ndarray, num_resamples: int, seed: int) -> Dict[str, Any]:
    if first.shape[1] < 2:
        scores = [float((sums[:, 0] / numpy.maximum(sums[:, 1], 1)).mean()) for sums in (first.sum(1), second.sum(1))]
        differences = {"first": scores[0], "second": scores[1], "difference": scores[0] - scores[1]}
        return {**differences, "confidence_interval": None, "p_value": None}
    result = paired_significance(first, second, num_resamples, seed)
    return {"first": result.first, "second": result.second, **result.difference_json()}

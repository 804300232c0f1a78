"""The systems of a report, predictions of several runs for the same sentences: their scores and their comparison."""

from collections import Counter
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.evaluation.gold import CORRECT, ERRORS, distance, match_entities, overlap, read_with_gold
from nerzoo.evaluation.reliability import reliability
from nerzoo.evaluation.significance import SIGNIFICANCE_LEVEL, holm, paired_significance, score_interval
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import Prediction
from nerzoo.text.annotation import Entity, ordered
from nerzoo.text.matching import exact_matches, precision_recall_f

SCHEMES = ("strict", "boundary", "type", "partial")
"""
The conditions for a correct entity, as in task 9.1 of SemEval-2013 (Segura-Bedmar, Martínez and Herrero-Zazo, 2013):
`"strict"`: boundary and type; `"boundary"`: the boundary; `"type"`: the type, and an overlap; `"partial"`: the
boundary, or an overlap, which counts half, whatever the type.
"""


def scheme_counts(sentences: Sequence[Prediction], label: Optional[str] = None) -> numpy.ndarray:
    """
    Counts for each of N sentences the correct entities by each scheme of `SCHEMES`, the predicted and the gold
    entities: shape (N, 6). With a `label`, entities of other types are left out.
    """
    rows = []
    for sentence in sentences:
        gold, predicted = sentence.gold, sentence.predicted
        if label is not None:
            gold, predicted = ([entity for entity in side if entity.label == label] for side in (gold, predicted))
        rows.append([*_correct(gold, predicted), len(predicted), len(gold)])
    return numpy.array(rows, float).reshape(-1, len(SCHEMES) + 2)


def scores(counts: numpy.ndarray) -> Dict[str, Dict[str, Any]]:
    """
    Returns from the counts of sentences, (N, 6), `precision`, `recall` and `f1` by each scheme, with the numbers of
    `correct`, `predicted` and `gold` entities. 0 / 0 is 0.
    """
    # Numbers are whole, but for partial matches.
    *correct, predicted, gold = (value if value % 1 else int(value) for value in counts.sum(0).tolist())
    return {
        scheme: {**precision_recall_f(right, predicted, gold), "correct": right, "predicted": predicted, "gold": gold}
        for scheme, right in zip(SCHEMES, correct, strict=True)
    }


def _correct(gold: Sequence[Entity], predicted: Sequence[Entity]) -> List[float]:
    if not gold or not predicted:
        return [0.0] * len(SCHEMES)
    strict = len(exact_matches(predicted, gold))
    if strict == len(gold) == len(predicted):
        return [strict] * len(SCHEMES)
    # Several entities may have the same span.
    spans = [Counter(entity[:2] for entity in side) for side in (gold, predicted)]
    boundary = (spans[0] & spans[1]).total()

    def closest(truth: Entity, entity: Entity) -> Tuple[bool, int]:
        return truth.label != entity.label, distance(truth, entity) if truth.label == entity.label else 0

    # An entity that is right goes first: where entities are nested, others might take its gold entity.
    pairs = _overlapping(gold, predicted, lambda entity: entity not in gold, closest)
    same_type = sum(truth.label == entity.label for truth, entity in pairs)
    partial = _overlapping(
        gold, predicted, lambda entity: entity[:2] not in spans[0], lambda truth, entity: truth[:2] != entity[:2]
    )
    return [strict, boundary, same_type, boundary + (sum(1 for _ in partial) - boundary) / 2]


def _overlapping(
    gold: Sequence[Entity],
    predicted: Sequence[Entity],
    order: Callable[[Entity], Any],
    distance: Callable[[Entity, Entity], Any],
) -> Iterator[Tuple[Entity, Entity]]:
    """Yields each predicted entity, in order, with the closest gold entity that it overlaps and that is left."""
    rest = list(gold)
    for entity in sorted(predicted, key=order):
        candidates = [truth for truth in rest if overlap(truth, entity)]
        if candidates:
            found = min(candidates, key=lambda truth: distance(truth, entity))
            rest.remove(found)
            yield found, entity


def averaged(values: Sequence[Any]) -> Any:
    """
    Averages the results of several runs: numbers, also in lists and dictionaries of the same shape; of other values it
    returns the first. A single result stays as it is.
    """
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, dict):
        return {name: averaged([value[name] for value in values]) for name in first}
    if isinstance(first, list):
        return [averaged(items) for items in zip(*values, strict=True)]
    return sum(values) / len(values) if isinstance(first, (int, float)) else first


def errors_and_confusion(sentences: Sequence[Prediction], types: Sequence[str]) -> Dict[str, Any]:
    """
    Counts the kinds of errors, as `match_entities` finds them, and the confusions of all L `types` of gold and
    predicted entities. Returns `errors`: the number of each kind of `ERRORS`; `errors_by_type`: the same for each type,
    the gold one or, for spurious entities, the predicted one; and `confusion`: L + 1 rows of L + 1 numbers, of gold
    types, in order, and spurious entities, by predicted types, in order, and missed entities.
    """
    kinds: Counter = Counter()
    cells: Counter = Counter()
    for sentence in sentences:
        for match in match_entities(sentence.gold, sentence.predicted):
            known = match.gold or match.predicted
            assert known is not None
            kinds[match.kind, known.label] += 1
            cells[tuple(None if entity is None else entity.label for entity in match)] += 1
    places: List[Any] = [*types, None]
    return {
        "errors": {kind: sum(kinds[kind, type_] for type_ in types) for kind in ERRORS},
        "errors_by_type": {type_: {kind: kinds[kind, type_] for kind in (CORRECT, *ERRORS)} for type_ in types},
        "confusion": [[cells[row, column] for column in places] for row in places],
    }


def entity_reliability(sentences: Sequence[Prediction], types: Sequence[str]) -> Optional[Dict[str, Any]]:
    """
    Compares the probabilities of predicted entities with the share that is correct, by boundary and type. Returns
    `overall` and, by type, `by_type`: each the fields of a `Reliability`, and the number of entities as `count`; `None`
    where some predicted entity has no probability, or there is none.
    """
    found = [sentence for sentence in sentences if sentence.predicted]
    if not found or any(sentence.probabilities is None for sentence in found):
        return None
    probabilities = numpy.array([value for sentence in found for value in sentence.probabilities or ()])
    correct = numpy.array([entity in sentence.gold for sentence in found for entity in sentence.predicted])
    labels = numpy.array([entity.label for sentence in found for entity in sentence.predicted])

    def measured(chosen: numpy.ndarray) -> Dict[str, Any]:
        return {"count": int(chosen.sum()), **asdict(reliability(probabilities[chosen], correct[chosen]))}

    return {"overall": measured(labels == labels), "by_type": {type_: measured(labels == type_) for type_ in types}}


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
    `read_with_gold`. The location of a sentence is that in `gold`, if given. By default, the name of a system is that
    of its first file, or its whole path, where names repeat. Raises `ConfigurationError` as `read_with_gold` does;
    where there is no sentence, a probability is not from 0 to 1, a system has a file twice, or names repeat.
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
            location = gold[number].location if gold else sentence.location
            run[number] = sentence._replace(gold=ordered(sentence.gold), location=location, **place)
    return [System(name, list(paths), [runs[path] for path in paths]) for name, paths in zip(names, files, strict=True)]


def _places(sentences: Iterator[Tuple[Prediction, ...]]) -> Iterator[Tuple[Optional[str], Optional[int]]]:
    """Yields the document of each sentence and its position there; a document's sentences follow one another."""
    ids = (next((each.document_id for each in runs if each.document_id is not None), None) for runs in sentences)
    for document_id, group in groupby(ids):
        for position, _ in enumerate(group, start=1):
            yield document_id, None if document_id is None else position


def f1_interval(system: System, num_resamples: int = 9999, seed: int = 13370) -> Optional[List[float]]:
    """
    Returns the confidence interval of the strict F1 of a system, over sentences and seeds, as `paired_significance`
    does; `None` for a single sentence.
    """
    if len(system.runs[0]) < 2:
        return None
    counts = numpy.stack([scheme_counts(run) for run in system.runs])
    return list(score_interval(Measure("strict", "f1").ratios(counts), num_resamples, seed))


class Measure(NamedTuple):
    """A score of entities by one of `SCHEMES`: `"precision"`, `"recall"` or `"f1"`, of all or of one type."""

    scheme: str
    measure: str
    type: Optional[str] = None

    def ratios(self, counts: numpy.ndarray) -> numpy.ndarray:
        """Returns numerators and denominators, (..., N, 2), from the counts of sentences, (..., N, 6)."""
        correct, predicted, gold = counts[..., SCHEMES.index(self.scheme)], counts[..., -2], counts[..., -1]
        parts = {"precision": (correct, predicted), "recall": (correct, gold), "f1": (2 * correct, predicted + gold)}
        return numpy.stack(parts[self.measure], -1)


def compare_systems(
    first: System, second: System, types: Sequence[str], num_resamples: int = 9999, seed: int = 13370
) -> Dict[str, Any]:
    """
    Compares two systems by all scores of a report, and by the strict F1 of each type, as `paired_significance` does.
    Returns the names of the `first` and the `second` system; `rows`, each with its `scheme`, `measure` and `type`, the
    scores of the `first` and the `second`, their `difference`, its `confidence_interval` and its `p_value`, and whether
    it `is_significant`, all three `None` for a single sentence; and `differing`, the indices of the sentences for which
    the first runs of the two predict different entities. Rows of types also have a `corrected_p_value`, see `holm`,
    since there is a test for each type; their scores are resampled over the sentences that have the type, since others
    change nothing.
    """
    measures = [Measure("strict", measure) for measure in ("precision", "recall", "f1")]
    measures += [Measure(scheme, "f1") for scheme in SCHEMES[1:]]
    measures += [Measure("strict", "f1", type_) for type_ in types]
    rows = list(_rows(first, second, measures, num_resamples, seed))
    type_rows = [row for row in rows if row["type"] is not None and row["p_value"] is not None]
    for row, p_value in zip(type_rows, holm([row["p_value"] for row in type_rows]), strict=True):
        row["corrected_p_value"] = p_value
    for row in rows:
        p_value = row["p_value"] if row["corrected_p_value"] is None else row["corrected_p_value"]
        row["is_significant"] = None if p_value is None else p_value < SIGNIFICANCE_LEVEL
    pairs = enumerate(zip(first.runs[0], second.runs[0], strict=True))
    differing = [index for index, (sentence, other) in pairs if {*sentence.predicted} != {*other.predicted}]
    return {"first": first.name, "second": second.name, "rows": rows, "differing": differing}


def _rows(
    first: System, second: System, measures: List[Measure], num_resamples: int, seed: int
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

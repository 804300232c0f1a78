from typing import Any, Dict, Iterator, List, Optional, Sequence

import numpy

from nerzoo.evaluation.label_errors import LabelError
from nerzoo.evaluation.predictions import ScoredSentence
from nerzoo.reports.evaluated_sentence import EvaluatedSentence
from nerzoo.reports.groupings import Grouping, groupings
from nerzoo.reports.scores import averaged, calibration, errors_and_confusion, scheme_counts, scores
from nerzoo.reports.sentence_errors import sentence_errors
from nerzoo.reports.system import System
from nerzoo.reports.system_comparison import compare_systems
from nerzoo.reports.training_data import TrainingData


def build_report(
    systems: Sequence[System],
    training: Optional[Sequence[ScoredSentence]] = None,
    label_errors: Sequence[LabelError] = (),
    num_resamples: int = 9999,
    seed: int = 13370,
) -> Dict[str, Any]:
    """
    Says what systems get right and wrong.

    # Parameters

    systems : `Sequence[System]`
        Of the same sentences. Where a system has several runs, its numbers are means over them.
    training : `Sequence[ScoredSentence]`, optional
        What the systems were trained on.
    label_errors : `Sequence[LabelError]`, optional
        The annotation that the first run of the first system believes least.
    num_resamples, seed : `int`, optional
        Those of the comparisons of each further system with the first one, see `compare_systems`.

    # Returns

    `Dict[str, Any]`
        What docs/reporting.md describes, of numbers, strings, lists and dictionaries alone.
    """
    sentences = systems[0].runs[0]
    types = sorted(
        {
            entity.label
            for system in systems
            for run in system.runs
            for sentence in run
            for entity in (*sentence.gold, *sentence.predicted)
        }
    )
    known = None if training is None else TrainingData(training)
    divisions = list(groupings(sentences, known))
    report: Dict[str, Any] = {
        "data": _data(sentences, types),
        "systems": [_system(system, types, divisions) for system in systems],
        "groupings": [{"name": each.name, "title": each.title, "note": each.note} for each in divisions],
        "training": None if known is None else known.facts(sentences),
        "comparisons": [compare_systems(systems[0], other, types, num_resamples, seed) for other in systems[1:]],
        "sentences": sentence_errors(systems),
        "label_errors": [error.to_json() for error in label_errors],
    }
    return {"warnings": list(_warnings(report, known)), **report}


def _data(sentences: Sequence[EvaluatedSentence], types: Sequence[str]) -> Dict[str, Any]:
    labels = [entity.label for sentence in sentences for entity in sentence.gold]
    documents = {sentence.document_id for sentence in sentences}
    return {
        "num_sentences": len(sentences),
        "num_documents": None if None in documents else len(documents),
        "num_words": sum(len(sentence.words) for sentence in sentences),
        "num_entities": len(labels),
        "types": {type_: labels.count(type_) for type_ in types},
    }


def _system(system: System, types: Sequence[str], divisions: Sequence[Grouping]) -> Dict[str, Any]:
    runs = [_run(run, types, divisions) for run in system.runs]
    f1 = [run["scores"]["strict"]["f1"] for run in runs]
    pooled = [sentence for run in system.runs for sentence in run]
    return {
        "name": system.name,
        "files": system.files,
        "f1_of_runs": f1,
        "standard_deviation": float(numpy.std(f1, ddof=1)) if len(f1) > 1 else None,
        **averaged(runs),
        "calibration": calibration(pooled, types),
    }


def _run(sentences: Sequence[EvaluatedSentence], types: Sequence[str], divisions: Sequence[Grouping]) -> Dict[str, Any]:
    return {
        "scores": scores(scheme_counts(sentences)),
        "by_type": {type_: scores(scheme_counts(sentences, type_)) for type_ in types},
        **errors_and_confusion(sentences, types),
        "groups": {division.name: division.scores(sentences) for division in divisions},
    }


def _warnings(report: Dict[str, Any], training: Optional[TrainingData]) -> Iterator[str]:
    data = report["data"]
    if not data["num_entities"]:
        yield "The gold annotation has no entity: there is nothing to find, and recall and F1 are 0."
    for system in report["systems"]:
        if not system["scores"]["strict"]["predicted"]:
            yield f"{system['name']} predicts no entity."
        invented = [
            type_
            for type_, count in data["types"].items()
            if not count and system["by_type"][type_]["strict"]["predicted"]
        ]
        if invented:
            yield f"{system['name']} predicts types that no gold entity has: {', '.join(invented)}."
    if report["comparisons"] and data["num_sentences"] < 2:
        yield "Of one sentence there are no intervals and no p values."
    if training is not None:
        yield from _training_warnings(report, training)


def _training_warnings(report: Dict[str, Any], training: TrainingData) -> Iterator[str]:
    data, facts = report["data"], report["training"]
    trained: List[str] = sorted(set().union(*training.mentions.values()))
    unseen = [type_ for type_, count in data["types"].items() if count and type_ not in trained]
    if unseen:
        yield f"Training data has no entity of these types: {', '.join(unseen)}."
    repeated = facts["repeated_sentences"]
    if repeated:
        with_entities = sum(sentence["num_entities"] > 0 for sentence in repeated)
        yield (
            f"Training data has {facts['num_duplicates']} of the {data['num_sentences']} sentences, and "
            f"near-duplicates of {facts['num_near_duplicates']} more; {with_entities} of all these have entities"
            f"{', so that scores may be too high' if with_entities else ''}."
        )

"""Reports: scores of systems, by groups of entities, and their errors."""

from collections import Counter
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo import archives
from nerzoo.archives.reading import read_config
from nerzoo.evaluation.gold import CORRECT, match_entities, read_gold
from nerzoo.evaluation.label_errors import LabelError, disagreements, has_gold_probabilities
from nerzoo.files import check_is_new, digest, write_json
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import Prediction
from nerzoo.formats.lines import local_path
from nerzoo.reports.groupings import Grouping, TrainingData, groupings
from nerzoo.reports.sections import report_sections
from nerzoo.reports.systems import (
    System,
    averaged,
    compare_systems,
    entity_reliability,
    errors_and_confusion,
    f1_interval,
    read_systems,
    scheme_counts,
    scores,
)
from nerzoo.reports.tables import write_pages
from nerzoo.version import __version__


def report_from_files(
    files: Sequence[Sequence[str]],
    names: Optional[Sequence[str]] = None,
    gold_file: Optional[str] = None,
    train_file: Optional[str] = None,
    corpus: Optional[Corpus] = None,
    config_file: Optional[str] = None,
    predictions_corpus: Optional[Corpus] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
    command: Optional[str] = None,
    models: Sequence[str] = (),
) -> Dict[str, Any]:
    """
    Reports on files of predictions, each of which is read once, see `build_report`. `files` and `names` are as in
    `read_systems`. Without `gold_file`, the predictions hold the gold entities; `train_file` is the training data of
    the systems. `corpus` is the format of both or, instead, `config_file` is a configuration for `read_gold`;
    `predictions_corpus` is the format of the predictions, by default what `nerzoo predict` writes. The `origin` of
    the report has the `command`, the date, the hashes of all files and, if they are given, the `models` of the systems,
    names or archives, with their types. Raises `ConfigurationError` as `read_systems` does, where the format of gold or
    training data is given not at all or twice, and where there are not as many models as systems.
    """
    source = corpus or config_file
    if (corpus is not None and config_file is not None) or ((gold_file or train_file) and source is None):
        found = "neither of --corpus and --config" if corpus is None else "both --corpus and --config"
        raise ConfigurationError(f"found {found}, expected one of them, which reads --gold and --train")
    if num_resamples < 1:
        raise ConfigurationError(f"found --num-resamples {num_resamples}, expected at least 1")

    def annotated(path: Optional[str]) -> Optional[List[Prediction]]:
        return None if path is None or source is None else read_gold(path, source)

    systems = read_systems(files, names, annotated(gold_file), gold_file or "", predictions_corpus)
    run = systems[0].runs[0]
    errors = disagreements(run) if gold_file is None and has_gold_probabilities(run) else ()
    report = build_report(systems, annotated(train_file), errors, num_resamples, seed)
    if models and len(models) != len(systems):
        raise ConfigurationError(f"found --models with {len(models)}, expected {len(systems)}, one of each system")
    kinds = {f"predictions of {system.name}": system.files for system in systems}
    if gold_file is not None:
        kinds["gold entities"] = [gold_file]
    if train_file is not None:
        kinds["training data"] = [train_file]
    origin = _origin(command, kinds)
    origin["files"] = [*map(_model_facts, models, (system.name for system in systems)), *origin["files"]]
    return {**report, "origin": origin}


def _model_facts(model: str, system: str) -> Dict[str, Any]:
    with archives.unpacked(model) as folder:
        type_ = read_config(model, folder)["model"]["type"]
    return {
        "kind": f"model of {system}, {type_}",
        "path": model,
        "sha256": digest(archives.find(model)),
    }


def _origin(command: Optional[str], kinds: Mapping[str, Sequence[str]]) -> Dict[str, Any]:
    files = [
        {"kind": kind, "path": path, "sha256": digest(local_path(path))}
        for kind, paths in kinds.items()
        for path in paths
    ]
    return {
        "command": command,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": __version__,
        "files": files,
    }


def write_report(
    report: Dict[str, Any], folder: Union[str, PathLike], title: str = "Report", num_sentences: int = 200
) -> None:
    """
    Writes what `build_report` returns into a new folder: `report.json`, `report.md` and `report.html`. A table of the
    page has at most `num_sentences`, one of the Markdown at most 20; the JSON has all. Raises `ConfigurationError`
    where the folder exists.
    """
    check_is_new(folder)
    folder = Path(folder)
    folder.mkdir(parents=True)
    write_json(folder / "report.json", report)
    page, markdown = (report_sections(report, most) for most in (num_sentences, min(num_sentences, 20)))
    write_pages(folder, title, page, markdown, report["warnings"])


def build_report(
    systems: Sequence[System],
    training: Optional[Sequence[Prediction]] = None,
    label_errors: Sequence[LabelError] = (),
    num_resamples: int = 9999,
    seed: int = 13370,
) -> Dict[str, Any]:
    """
    Scores systems on the same sentences, and lists their errors: the data that docs/reporting.md describes, of numbers,
    strings, lists and dictionaries alone. The numbers of a system with several runs are means over them. `training` is
    the training data of the systems, with its gold entities, and `label_errors` are the probable annotation errors by
    the first run of the first system. `compare_systems` compares each further system with the first one.
    """
    sentences = systems[0].runs[0]
    every = [sentence for system in systems for run in system.runs for sentence in run]
    types = sorted({entity.label for sentence in every for entity in (*sentence.gold, *sentence.predicted)})
    known = None if training is None else TrainingData(training)
    divisions = list(groupings(sentences, known))
    report: Dict[str, Any] = {
        "origin": None,
        "data": _data(sentences, types),
        "systems": [
            {**_system(system, types, divisions), "f1_interval": f1_interval(system, num_resamples, seed)}
            for system in systems
        ],
        "groupings": [{"name": each.name, "title": each.title, "note": each.note} for each in divisions],
        "training": None if known is None else known.facts(sentences),
        "comparisons": [compare_systems(systems[0], other, types, num_resamples, seed) for other in systems[1:]],
        "sentences": sentence_errors(systems),
        "label_errors": [error.to_json() for error in label_errors],
    }
    return {"warnings": list(_warnings(report, known)), **report}


def _data(sentences: Sequence[Prediction], types: Sequence[str]) -> Dict[str, Any]:
    labels = Counter(entity.label for sentence in sentences for entity in sentence.gold)
    documents = {sentence.document_id for sentence in sentences}
    return {
        "num_sentences": len(sentences),
        "num_documents": None if None in documents else len(documents),
        "num_words": sum(len(sentence.words) for sentence in sentences),
        "num_entities": labels.total(),
        "types": {type_: labels[type_] for type_ in types},
    }


def _system(system: System, types: Sequence[str], divisions: Sequence[Grouping]) -> Dict[str, Any]:
    runs = [
        {
            "scores": scores(scheme_counts(run)),
            "by_type": {type_: scores(scheme_counts(run, type_)) for type_ in types},
            **errors_and_confusion(run, types),
            "groups": {division.name: division.scores(run) for division in divisions},
        }
        for run in system.runs
    ]
    f1 = [run["scores"]["strict"]["f1"] for run in runs]
    pooled = [sentence for run in system.runs for sentence in run]
    return {
        "name": system.name,
        "files": system.files,
        "f1_of_runs": f1,
        "standard_deviation": float(numpy.std(f1, ddof=1)) if len(f1) > 1 else None,
        **averaged(runs),
        "calibration": entity_reliability(pooled, types),
    }


def sentence_errors(systems: Sequence[System]) -> List[Dict[str, Any]]:
    """
    Describes the sentences with errors in some run of some system, the sentences with the most errors first: `index`,
    from 0, `location`, `document_id`, `words`, the `gold` entities, `num_errors`, the sum over systems of their means
    over runs, and for each of the `systems` its `num_errors` and `runs`: the `predicted` entities, and the `errors`,
    each with its `kind`, the `gold` and the `predicted` entity, either of which may be `None`.
    """
    found = []
    for index, sentence in enumerate(systems[0].runs[0]):
        described: List[Dict[str, Any]] = []
        for system in systems:
            sentences = [run[index] for run in system.runs]
            runs = [{"predicted": each.predicted_json(), "errors": list(_errors(each))} for each in sentences]
            num_errors = sum(len(run["errors"]) for run in runs) / len(runs)
            described.append({"name": system.name, "num_errors": num_errors, "runs": runs})
        total = sum(system["num_errors"] for system in described)
        if total:
            found.append(
                {
                    "index": index,
                    "location": sentence.location,
                    "document_id": sentence.document_id,
                    "words": sentence.words,
                    "gold": [entity._asdict() for entity in sentence.gold],
                    "num_errors": total,
                    "systems": described,
                }
            )
    return sorted(found, key=lambda entry: -entry["num_errors"])


def _errors(sentence: Prediction) -> Iterator[Dict[str, Any]]:
    for match in match_entities(sentence.gold, sentence.predicted):
        if match.kind != CORRECT:
            sides = {name: entity and entity._asdict() for name, entity in match._asdict().items()}
            yield {"kind": match.kind, **sides}


def _warnings(report: Dict[str, Any], training: Optional[TrainingData]) -> Iterator[str]:
    data = report["data"]
    if not data["num_entities"]:
        yield "The gold annotation has no entity: there is nothing to find, and recall and F1 are 0."
    for system in report["systems"]:
        if not system["scores"]["strict"]["predicted"]:
            yield f"{system['name']} predicts no entity."
        absent = [type_ for type_, count in data["types"].items() if not count]
        invented = [type_ for type_ in absent if system["by_type"][type_]["strict"]["predicted"]]
        if invented:
            yield f"{system['name']} predicts types that no gold entity has: {', '.join(invented)}."
    if report["comparisons"] and data["num_sentences"] < 2:
        yield "Of one sentence there are no intervals and no p values."
    if training is None:
        return
    facts = report["training"]
    trained: List[str] = sorted(set().union(*training.mentions.values()))
    unseen = [type_ for type_, count in data["types"].items() if count and type_ not in trained]
    if unseen:
        yield f"Training data has no entity of these types: {', '.join(unseen)}."
    repeated = facts["repeated_sentences"]
    if repeated:
        with_entities = sum(sentence["num_entities"] > 0 for sentence in repeated)
        duplicates = f"{facts['num_duplicates']} of the {data['num_sentences']} sentences"
        duplicates += f", and near-duplicates of {facts['num_near_duplicates']} more"
        effect = ", so that scores may be too high" if with_entities else ""
        yield f"Training data has {duplicates}; {with_entities} of all these have entities{effect}."

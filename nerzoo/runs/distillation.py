"""Distillation: a student learns from texts that teachers have labelled, beside its gold data."""

import os
import sys
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.configuration.check import check_training, from_options
from nerzoo.errors import check_choice, check_range, format_error
from nerzoo.files import digest, read_run_file, write_json, written_whole
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlWriter
from nerzoo.inference.sources import json_items, text_items
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.runs.runner import check_is_empty, check_is_same, data_hashes, data_paths, differences, other_files, train
from nerzoo.runs.teachers import LABELS_NAME, check_texts, confidence, labelled_sentences, load_teacher, write_labels
from nerzoo.text.annotation import SYNTAX, Document, Sentence
from nerzoo.zoo.command import input_format

SUMMARY_NAME = "distillation.json"
DATA_NAME = "training.jsonl"
PARTS = ("gold", "kept", "dropped")
TARGETS = ("marginals", "tags")
"""The labels that a student can learn from its teachers."""


def distill(
    teachers: Sequence[str],
    texts: str,
    student: Params,
    serialization_dir: str,
    weight: float = 1.0,
    min_confidence: float = 0.0,
    targets: Optional[str] = None,
    **options: Any,
) -> Dict[str, Any]:
    """
    Labels texts by teachers and trains a student on its gold data and on the labelled sentences. Writes into
    `serialization_dir`

    - `teacher-1.jsonl` and so on, the predictions of each archive;
    - `labelled.jsonl`, all labelled sentences, each with its `confidence`, see `teachers.confidence`;
    - `training.jsonl`, the gold sentences and the labelled ones that are kept;
    - `model`, the folder of the student, as `nerzoo train` writes it;
    - `distillation.json`, the settings, the numbers of sentences, words and entities that were kept and dropped, and
      the hashes of the student's data.

    The same call continues an interrupted run, in the middle of a prediction, too. As long as there is no folder
    `model`, the same labels can be used with other parameters.

    # Parameters

    teachers : `Sequence[str]`
        Archives of taggers, or files of predictions, JSON lines; several are an ensemble, see
        `teachers.combined`.
    texts : `str`
        A file of texts, one a line, or of JSON lines that the teachers take.
    student : `Params`
        A configuration of a `sequence_tagger` with the reader `tagged_sentences` and the head `projection`.
    serialization_dir : `str`
    weight : `float`, optional (default = `1.0`)
        The factor of the loss of labelled sentences.
    min_confidence : `float`, optional (default = `0.0`)
        Sentences of a lower confidence are dropped.
    targets : `str`, optional
        What the student learns: `"marginals"`, the probability of each tag of each word, or `"tags"`. By default
        marginals, and tags where a teacher has no marginals.
    **options
        As in `train_model`.

    # Returns

    The content of `distillation.json`.

    # Raises

    `ConfigurationError` where a teacher, the texts or the student are not of this kind, the teachers split the texts in
    different ways, no sentence is kept, or the folder has another distillation, or a model that is not finished and
    would go on with other data.
    """
    check_range("weight", weight, 0)
    check_range("min_confidence", min_confidence, 0, 1)
    if targets is not None:
        check_choice("targets", targets, TARGETS)
    _check_student(student)
    output = Path(serialization_dir)
    # Predictions of archives are kept. A file of predictions is read again: there may have been an error in it.
    files = {
        "teachers": [[path, None if input_format(path) == "jsonl" else _digest(path)] for path in teachers],
        "texts": [texts, _digest(texts)],
    }
    settings: Dict[str, Any] = {"weight": weight, "min_confidence": min_confidence, "targets": targets, **files}
    settings |= {f"student.{name}": value for name, value in student.as_flat_dict().items()}
    summary: Dict[str, Any] = {"settings": settings}
    has_model = (output / "model").exists()
    if (output / SUMMARY_NAME).exists():
        before = read_run_file(output / SUMMARY_NAME, dict)
        earlier = before.get("settings", {})
        fixed = {*earlier, *settings} if has_model else files.keys()
        old, new = ({name: values.get(name) for name in fixed} for values in (earlier, settings))
        check_is_same("distillation", output, differences(old, new))
        summary = before if has_model else summary
    else:
        check_is_empty(output, SUMMARY_NAME, LABELS_NAME, DATA_NAME)
    if not has_model:
        gold = _gold(student)
        loaded = [None if input_format(path) == "jsonl" else load_teacher(path) for path in teachers]
        targets = _targets(teachers, loaded, student, targets)
        source = json_items if input_format(texts) == "jsonl" else text_items("line")
        check_texts(source, texts)
        output.mkdir(parents=True, exist_ok=True)
        if any(loaded):
            write_json(output / SUMMARY_NAME, summary)
        write_labels(teachers, loaded, source, texts, output)
        # The student needs the memory of the GPU.
        del loaded
        summary |= {"targets": targets, **_write_training_data(output, gold, weight, min_confidence, targets)}
        summary["sha256"] = data_hashes(data_paths(_student_config(student, output)))
        write_json(output / SUMMARY_NAME, summary)
    _show(summary)
    if not (output / "model/model.tar.gz").exists():
        check_is_same("distillation", output, other_files(summary.get("sha256", {})))
        train(_student_config(student, output), output / "model", **options)
    return summary


def _show(summary: Dict[str, Any]) -> None:
    for name in PARTS:
        counts = ", ".join(f"{count:,} {what}" for what, count in summary[name].items())
        print(f"{name}: {counts}", file=sys.stderr)
    if summary["only_labelled"]:
        names = ", ".join(summary["only_labelled"])
        print(f"the gold data has no entities of the types {names}, which the teachers find", file=sys.stderr)
    if summary["left_out"]:
        print(f"left out, since some sentences have none: {', '.join(summary['left_out'])}", file=sys.stderr)


def _digest(path: str) -> Optional[str]:
    """Returns the hash of a file or a folder, or `None` for the name of a model or an address."""
    return digest(path) if os.path.exists(path) else None


def _gold(student: Params) -> List[Document]:
    corpus = student["dataset_reader"]["corpus"]
    reader = from_options(Corpus, corpus.as_dict(quiet=True) if isinstance(corpus, Params) else {"type": corpus})
    return list(reader.read(student["train_data_path"]))


def _check_student(student: Params) -> None:
    """Raises `ConfigurationError` where a configuration does not fit its classes, or cannot learn from teachers."""
    config = student.as_dict(quiet=True)
    check_training(config)
    head = config["model"].get("head", {})
    # It would leave out labelled sentences, which are last.
    if config["dataset_reader"].get("max_instances") is not None:
        raise ConfigurationError("found a student with dataset_reader.max_instances, expected none")
    for place, value, expected in (
        ("dataset_reader.type", config["dataset_reader"].get("type"), "tagged_sentences"),
        ("model.type", config["model"].get("type"), "sequence_tagger"),
        ("model.head.type", head.get("type", "projection") if isinstance(head, dict) else head, "projection"),
    ):
        if value != expected:
            raise ConfigurationError(f"found a student with {place} = {value!r}, expected {expected!r}")


def _targets(
    teachers: Sequence[str], loaded: Sequence[Optional[Tagger]], student: Params, targets: Optional[str]
) -> str:
    """Returns what the student learns. Raises `ConfigurationError` where it cannot learn the marginals asked for."""
    models = [None if tagger is None else tagger.predictor.model for tagger in loaded]
    without = [path for path, model in zip(teachers, models, strict=True) if not isinstance(model, TaggingModel)]
    if without and targets == "marginals":
        raise format_error(without[0], "a teacher without marginals", "--targets tags for it")
    if without or targets == "tags":
        return "tags"
    own = student["dataset_reader"].get("coding_scheme", "BIOUL")
    for path, model in zip(teachers, models, strict=True):
        if isinstance(model, TaggingModel) and model.head.coding_scheme != own:
            found = f"marginals of tags in the coding scheme {model.head.coding_scheme}"
            raise format_error(path, found, f"{own}, the student's, or --targets tags")
    return "marginals"


def _write_training_data(
    output: Path, gold: Sequence[Document], weight: float, min_confidence: float, targets: str
) -> Dict[str, Any]:
    """
    Writes `training.jsonl`. Returns the numbers of what it has and of what was dropped; `only_labelled`, the types of
    entities that only the teachers have found; and `left_out`, the syntax that only some sentences have, which the
    others lack in a batch.
    """
    counts = {name: Counter(sentences=0, words=0, entities=0) for name in PARTS}
    types: Dict[str, Set[str]] = {name: set() for name in PARTS}
    left_out, all_types = _unequal_annotation(gold, output / LABELS_NAME)
    no_syntax: Dict[str, Any] = dict.fromkeys(left_out)

    def count(name: str, sentence: Sentence) -> None:
        counts[name].update(sentences=1, words=len(sentence.words), entities=len(sentence.entities))
        types[name].update(entity.label for entity in sentence.entities)

    # All instances of a batch have the same fields: a gold sentence has marginals, too, but none is known.
    no_marginals: Optional[List[Dict[str, float]]] = [] if targets == "marginals" else None
    with written_whole(output / DATA_NAME) as unfinished, JsonlWriter().open(unfinished) as writer:
        for document in gold:
            for sentence in document.sentences:
                count("gold", sentence)
            parts = [
                replace(
                    part,
                    loss_weight=1.0,
                    marginals=no_marginals,
                    annotated_types=all_types if part.annotated_types is None else part.annotated_types,
                    **no_syntax,
                )
                for part in document.sentences
            ]
            writer.write(Document(document.id, parts))
        for sentence in labelled_sentences(output / LABELS_NAME):
            if sentence.entities and sentence.probabilities is None and min_confidence:
                expected = "them, or no --min-confidence"
                raise format_error(sentence.location, "entities without probabilities", expected)
            name = "kept" if confidence(sentence) >= min_confidence else "dropped"
            count(name, sentence)
            if name == "kept":
                marginals = sentence.marginals if targets == "marginals" else None
                known = {"loss_weight": weight, "marginals": marginals, "annotated_types": all_types, **no_syntax}
                writer.write(Document(None, [replace(sentence, **known)]))
        if not counts["kept"]["sentences"]:
            found = f"none of {counts['dropped']['sentences']} sentences with a confidence of {min_confidence:g}"
            raise ConfigurationError(f"found {found}, expected some: a lower --min-confidence keeps more")
    return {**counts, "only_labelled": sorted(types["kept"] - types["gold"]), "left_out": left_out}


def _unequal_annotation(gold: Sequence[Document], labels: Path) -> Tuple[List[str], Optional[List[str]]]:
    """
    Compares the annotation of gold and labelled sentences, which all have to have the same in a batch. Returns the
    syntax that only some of them have; and the types of all entities, if some gold sentences are annotated with some
    types only, or else `None`.
    """
    has: Dict[str, Set[bool]] = {name: set() for name in SYNTAX}
    types: Set[str] = set()
    has_types = False
    for sentence in chain((part for document in gold for part in document.sentences), labelled_sentences(labels)):
        for name in SYNTAX:
            has[name].add(getattr(sentence, name) is not None)
        types.update(sentence.annotated_types or (), (entity.label for entity in sentence.entities))
        has_types = has_types or sentence.annotated_types is not None
    return [name for name in SYNTAX if len(has[name]) > 1], sorted(types) if has_types else None


def _student_config(student: Params, output: Path) -> Params:
    """Returns the configuration of the student's training. Validation and test data are read as before."""
    config = student.as_dict(quiet=True)
    # A copy, since building a reader takes its options out of them.
    reader = deepcopy(config["dataset_reader"])
    return Params(
        {
            **config,
            "train_data_path": str(output / DATA_NAME),
            "dataset_reader": {**config["dataset_reader"], "corpus": {"type": "jsonl"}},
            "validation_dataset_reader": config.get("validation_dataset_reader") or reader,
        }
    )

"""Model cards, and facts about a model that need no data: its labels and the versions of programs."""

import json
import platform
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import allennlp.version
import torch
from allennlp.models import Model

from nerzoo.formats.corpus import DataFacts
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.version import __version__


def versions() -> Dict[str, str]:
    """Returns the versions of nerzoo and of the libraries that load a model."""
    return {
        "nerzoo": __version__,
        "AllenNLP": allennlp.version.VERSION,
        "PyTorch": torch.__version__,
        "Python": platform.python_version(),
    }


def predicted_labels(model: Model) -> List[str]:
    """Returns the labels that a model can predict: types of entities, or tags that stand for themselves."""
    if isinstance(model, FofeNer):
        return sorted(model.types)
    if not isinstance(model, TaggingModel):
        return []
    tags = model.vocab.get_token_to_index_vocabulary(model.head.label_namespace)
    if model.head.coding_scheme is None:
        return sorted(tags)
    return sorted({tag.partition("-")[2] for tag in tags if tag != "O"})


class ModelFacts(NamedTuple):
    """The content of a model card."""

    name: str
    config: Dict[str, Any]
    labels: List[str]
    """The labels that the model can predict."""
    data: Dict[str, Optional[DataFacts]]
    """The facts of each part, "training" and so on, or `None` where its file was not found."""
    versions: Dict[str, str]
    """The version of each program."""
    training_metrics: Dict[str, Any] = {}
    """The content of `metrics.json`, which `allennlp train` wrote, if there is one."""
    metrics: Optional[Dict[str, float]] = None
    """The metrics of `allennlp evaluate` with `evaluation_options` on `evaluation_data`."""
    evaluation_options: str = ""
    evaluation_data: Optional[DataFacts] = None
    needed_files: Sequence[str] = ()
    """The files that loading the model reads besides those of its folder."""
    calibration: Optional[Dict[str, Any]] = None
    """The object that `allennlp calibrate` has written into the archive."""


def model_card(facts: ModelFacts, license: Optional[str] = None, language: Optional[List[str]] = None) -> Any:
    """Makes a `huggingface_hub.ModelCard`, whose text has only what the facts say."""
    # An extra of this package.
    from huggingface_hub import ModelCard, ModelCardData

    data = ModelCardData(
        language=language,
        license=license,
        library_name="allennlp",
        pipeline_tag="token-classification" if facts.labels else None,
        tags=["nerzoo", *(["named-entity-recognition"] if facts.labels else [])],
    )
    sections = [
        _use(facts),
        "## Training data\n\n" + _training_data(facts),
        "## Training\n\n" + _training(facts),
        "## Scores\n\n" + _scores(facts),
        *([] if facts.calibration is None else ["## Calibration\n\n" + _calibration(facts.calibration)]),
        "## Limits\n\n" + _limits(facts),
        "## Licence\n\n" + (license or "No licence was named. Without one, others may not use the model."),
    ]
    return ModelCard(f"---\n{data.to_yaml()}\n---\n\n" + "\n\n".join(sections) + "\n")


def _use(facts: ModelFacts) -> str:
    predicted = f" It predicts {_listed(facts.labels)}." if facts.labels else ""
    return f"""# {facts.name}

A `{facts.config["model"]["type"]}` of nerzoo, a package for AllenNLP.{predicted}

    allennlp predict FOLDER input.jsonl --include-package nerzoo

reads `{{"sentence": "..."}}` or `{{"words": [...]}}`, an object a line; `FOLDER` is this folder or, where it is on the
hub, `hf://OWNER/NAME`."""


def _training_data(facts: ModelFacts) -> str:
    lines = ["| part | file | SHA-256 | documents | sentences | words | entities |", "|---|---|---|---|---|---|---|"]
    for part, data in facts.data.items():
        if data is None:
            lines.append(f"| {part} | not to be found when this card was written | | | | | |")
        else:
            numbers = [data.num_documents, data.num_sentences, data.num_words]
            numbers.append(None if data.num_documents is None else sum(data.labels.values()))
            cells = ["" if number is None else str(number) for number in numbers]
            lines.append(f"| {part} | `{data.name}` | `{data.sha256}` | {' | '.join(cells)} |")
    training = facts.data.get("training")
    if training is not None and training.labels:
        counts = [f"{label} {count}" for label, count in training.labels.most_common()]
        lines += ["", f"Entities of the training data: {', '.join(counts)}."]
    corpus = facts.config["dataset_reader"].get("corpus")
    if corpus is not None:
        lines += ["", f"Read as `{json.dumps(corpus)}`."]
    return "\n".join(lines)


def _training(facts: ModelFacts) -> str:
    # AllenNLP's defaults.
    defaults = {"random_seed": 13370, "numpy_seed": 1337, "pytorch_seed": 133}
    seeds = [f"`{name}` {facts.config.get(name, default)}" for name, default in defaults.items()]
    lines = [
        "    allennlp train config.json --include-package nerzoo -s OUTPUT",
        "",
        f"with the `config.json` of this folder; seeds: {', '.join(seeds)}.",
    ]
    known = facts.training_metrics
    if "training_duration" in known and "epoch" in known:
        lines.append(
            f"It ran for {known['epoch'] + 1} epochs, and for {known['training_duration']} since its last start."
        )
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    return "\n".join([*lines, "", f"Versions when this card was written: {versions}."])


def _scores(facts: ModelFacts) -> str:
    parts = []
    if facts.metrics is not None and facts.evaluation_data is not None:
        data = facts.evaluation_data
        options = f" -o '{facts.evaluation_options}'" if facts.evaluation_options else ""
        parts += [f"On `{data.name}` (SHA-256 `{data.sha256}`):", _table(facts.metrics)]
        parts.append(f"    allennlp evaluate FOLDER {data.name} --include-package nerzoo{options}")
    best = "best_validation_"
    known = facts.training_metrics
    validation = {name.removeprefix(best): value for name, value in known.items() if name.startswith(best)}
    if validation:
        epoch = known.get("best_epoch", 0) + 1
        parts += [f"On the validation data, after epoch {epoch}, the best one there:", _table(validation)]
    return "\n\n".join(parts) or "None was measured when this card was written."


def _table(metrics: Dict[str, Any]) -> str:
    """Returns a table of the scores of all entities and of each type, or, without them, of all numbers."""
    if "f1" not in metrics:
        rows = [f"| {name} | {value:.4f} |" for name, value in metrics.items() if isinstance(value, float)]
        return "\n".join(["| | |", "|---|---|", *rows])
    types = [name.removeprefix("f1-") for name in metrics if name.startswith("f1-")]
    rows = ["| | precision | recall | F1 |", "|---|---|---|---|"]
    for label, suffix in [("all", ""), *((name, f"-{name}") for name in types)]:
        cells = [f"{metrics[score + suffix]:.4f}" for score in ("precision", "recall", "f1")]
        rows.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _calibration(calibration: Dict[str, Any]) -> str:
    rows = ["| data | | ECE | Brier score | negative log-likelihood |", "|---|---|---|---|---|"]
    for part in ("development", "test"):
        for when in ("before", "after") if part in calibration else ():
            measures = calibration[part][when]
            names = ("expected_calibration_error", "brier_score", "negative_log_likelihood")
            numbers = ["" if measures[name] is None else f"{measures[name]:.4f}" for name in names]
            rows.append(f"| `{calibration[part]['file']}` | {when} | {' | '.join(numbers)} |")
    lines = [f"By `allennlp calibrate`, with the temperature {calibration['temperature']:g}:", "", *rows]
    for name, promise in calibration["promises"].items():
        what = {
            "coverage": "`n_best` has sets of tag sequences that contain the right one with a probability of",
            "precision": "Entities are left out below a probability at which the others have a precision of",
        }[name]
        lines += ["", f"{what} {promise['wished']:g}, where text is like the development data."]
    return "\n".join(lines)


def _limits(facts: ModelFacts) -> str:
    reader = facts.config["dataset_reader"]
    limits = [f"It knows {_listed(facts.labels)}, and nothing else."] if facts.labels else []
    limits += [
        "It was trained on the data above alone: on text of other kinds, its scores will be others.",
        (
            "Its probabilities are those of the model as it is; they have not been calibrated."
            if facts.calibration is None
            else "Its probabilities were calibrated on the data above: on text of other kinds, they are worth less."
        ),
    ]
    if str(reader.get("type", "")).startswith("tagged_"):
        limits.append(f"Of nested entities, it finds the {reader.get('layer', 'outermost')} ones alone.")
    pipeline = (reader.get("parser") or {}).get("pipeline", "blank:en")
    limits.append(f"Raw text is split into words by spaCy's `{pipeline}`, which may differ from the training data.")
    if facts.needed_files:
        limits.append(f"To be loaded, it needs files that are not in this folder: {_listed(facts.needed_files)}.")
    return "\n".join(f"- {limit}" for limit in limits)


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(f"`{label}`" for label in labels)

"""Model cards, and the versions of programs."""

import json
import platform
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import allennlp.version
import torch
from jinja2 import Environment, PackageLoader, StrictUndefined

from nerzoo.formats.corpus import DataFacts
from nerzoo.text.matching import written_score
from nerzoo.training.callbacks.final_report import type_rows
from nerzoo.version import __version__


def versions() -> Dict[str, str]:
    """Returns the versions of nerzoo and of the libraries that load a model."""
    return {
        "nerzoo": __version__,
        "AllenNLP": allennlp.version.VERSION,
        "PyTorch": torch.__version__,
        "Python": platform.python_version(),
    }


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
    """The content of `metrics.json`, which `nerzoo train` wrote, if there is one."""
    metrics: Optional[Dict[str, Any]] = None
    """The metrics of `nerzoo evaluate` on `evaluation_data`, with counts by type, see `ByTypeEvaluator`."""
    evaluation_data: Optional[DataFacts] = None
    needed_files: Sequence[str] = ()
    """The files that loading the model reads besides those of its folder."""
    calibration: Optional[Dict[str, Any]] = None
    """The object that `nerzoo calibrate` has written into the archive."""


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
    environment = Environment(
        loader=PackageLoader("nerzoo", "deploy"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters["json"] = json.dumps
    environment.globals |= {"written_score": written_score, "type_rows": type_rows}
    best = "best_validation_"
    known = facts.training_metrics
    text = environment.get_template("model_card.md").render(
        facts=facts,
        license=license,
        header=data.to_yaml(),
        validation={name.removeprefix(best): value for name, value in known.items() if name.startswith(best)},
    )
    return ModelCard(text)

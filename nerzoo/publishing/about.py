"""What can be said of a model without looking at its data."""

import platform
from typing import Dict, List

import allennlp.version
import torch
from allennlp.models import Model

from nerzoo.models import FofeNer, TaggingModel
from nerzoo.version import __version__


def versions() -> Dict[str, str]:
    """Returns the version of each program that a model is loaded by."""
    return {
        "nerzoo": __version__,
        "AllenNLP": allennlp.version.VERSION,
        "PyTorch": torch.__version__,
        "Python": platform.python_version(),
    }


def predicted_labels(model: Model) -> List[str]:
    """Returns what a model can predict: types of entities, or tags that stand for themselves."""
    if isinstance(model, FofeNer):
        return sorted(model.types)
    if not isinstance(model, TaggingModel):
        return []
    tags = model.vocab.get_token_to_index_vocabulary(model.head.label_namespace)
    if model.head.coding_scheme is None:
        return sorted(tags)
    return sorted({tag.partition("-")[2] for tag in tags if tag != "O"})

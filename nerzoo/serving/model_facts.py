from os import PathLike
from pathlib import Path
from typing import Any, Dict, Union

from nerzoo import archives
from nerzoo.publishing import predicted_labels, versions
from nerzoo.serving.limits import Limits
from nerzoo.tagging.tagger import Tagger

_CARD = "README.md"


def model_facts(archive: Union[str, PathLike], tagger: Tagger, limits: Limits) -> Dict[str, Any]:
    """
    Returns what a server says of its model: `name`, the last part of the archive's path that is not always the same;
    `model`, its class; `predictor`, whose items it takes; `labels`; `versions`; `limits`; and `card`, the model card of
    a folder that `allennlp publish` has made, or `None`.
    """
    model = tagger.predictor.model
    parts = [part for part in Path(archive).parts if part != archives.ARCHIVE_NAME]
    path = archives.find(archive)
    card = path / _CARD
    return {
        "name": parts[-1] if parts else archives.ARCHIVE_NAME,
        "model": type(model).__name__,
        "predictor": model.default_predictor,
        "labels": predicted_labels(model),
        "versions": versions(),
        "limits": limits._asdict(),
        "card": card.read_text(encoding="utf-8", errors="replace") if path.is_dir() and card.is_file() else None,
    }

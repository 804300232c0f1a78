import os
import sys
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Optional, Union

from allennlp.commands import train
from allennlp.common import Params
from allennlp.models import Model

from nerzoo.configuration_check import check_training, read_configuration
from nerzoo.files import UNFINISHED, check_links, remove_unfinished, written_whole


class _WholeParams(Params):
    """`Params` that are written whole or not at all; AllenNLP's `config.json` may be cut off."""

    def to_file(self, params_file: str, preference_orders: Any = None) -> None:
        with written_whole(params_file) as unfinished:
            super().to_file(str(unfinished), preference_orders)


def train_model_from_file(
    parameter_filename: Union[str, PathLike],
    serialization_dir: Union[str, PathLike],
    overrides: Union[str, Dict[str, Any]] = "",
    **options: Any,
) -> Optional[Model]:
    """
    Trains as `allennlp.commands.train.train_model_from_file` does. Raises what `read_configuration` and `train_model`
    raise.
    """
    return train_model(read_configuration(parameter_filename, overrides), serialization_dir, **options)


def train_model(
    params: Params, serialization_dir: Union[str, PathLike], recover: bool = False, force: bool = False, **options: Any
) -> Optional[Model]:
    """
    Trains as `allennlp.commands.train.train_model` does, whose parameters it has. Raises `ConfigurationError` where the
    configuration does not fit the classes that it names, before anything is written, or where a link leads out of the
    folder.
    """
    check_training(params.as_dict(quiet=True))
    check_links(serialization_dir)
    found = list(Path(serialization_dir).iterdir()) if os.path.isdir(serialization_dir) else []
    # A run that was killed before its config.json was whole has nothing to recover, and nothing to lose.
    if found and all(path.match(UNFINISHED) for path in found):
        remove_unfinished(serialization_dir)
        recover = False
    hook = sys.excepthook
    try:
        whole = _WholeParams(params.params, params.history)
        return train.train_model(whole, serialization_dir, recover, force, **options)
    finally:
        # AllenNLP replaces it when it sets up its log.
        sys.excepthook = hook

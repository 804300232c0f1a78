"""One of several trainings of a command, which can be interrupted and resumed."""

import gc
import json
from pathlib import Path
from typing import List, Optional

from allennlp.common import Params
from allennlp.models.archival import CONFIG_NAME

from nerzoo.files import read_run_file
from nerzoo.training.train_model import train_model


def train(
    config: Params,
    folder: Path,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> None:
    """
    Trains a model as `allennlp train` does, from the last checkpoint in the folder if there is one. Raises
    `ConfigurationError` where there is one and `config.json` is cut off.
    """
    # A trainer and its parts refer to each other; data and model of the training before would stay.
    gc.collect()
    # Before the first checkpoint there is nothing to recover, maybe not even a whole configuration.
    recover = any(folder.glob("training_state_*.th"))
    if recover:
        # AllenNLP reads the file, too, but its error would not name it.
        read_run_file(folder / CONFIG_NAME, dict)
    train_model(
        config.duplicate(),
        str(folder),
        recover=recover,
        force=not recover,
        include_package=include_package,
        file_friendly_logging=file_friendly_logging,
    )


def config_differences(path: Path, config: Params) -> List[str]:
    """
    Describes each parameter in which a configuration differs from the one in a file. Raises `ConfigurationError` where
    the file is cut off.
    """
    before = Params(read_run_file(path, dict)).as_flat_dict()
    now = config.as_flat_dict()
    return [
        f"{name} is {json.dumps(now.get(name))} and was {json.dumps(before.get(name))}"
        for name in sorted({*before, *now})
        if now.get(name) != before.get(name)
    ]

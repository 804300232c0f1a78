"""What the subcommands that train several models share."""

import gc
import json
from pathlib import Path
from typing import List, Optional

from allennlp.commands.train import train_model
from allennlp.common import Params


def train(
    config: Params,
    folder: Path,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> None:
    """As `allennlp train`, from the last checkpoint if there is one."""
    # A trainer and its parts refer to each other; data and model of the training before would stay.
    gc.collect()
    # Before the first checkpoint there is nothing to recover, maybe not even a whole configuration.
    recover = any(folder.glob("training_state_*.th"))
    train_model(
        config.duplicate(),
        str(folder),
        recover=recover,
        force=not recover,
        include_package=include_package,
        file_friendly_logging=file_friendly_logging,
    )


def config_differences(path: Path, config: Params) -> List[str]:
    """In which parameters, and how, the configuration differs from the one in the file."""
    before = Params(json.loads(path.read_text())).as_flat_dict()
    now = config.as_flat_dict()
    return [
        f"{name} is {json.dumps(now.get(name))} and was {json.dumps(before.get(name))}"
        for name in sorted({*before, *now})
        if now.get(name) != before.get(name)
    ]

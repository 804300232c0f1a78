"""Models that differ in their seed alone, and the spread of their scores."""

import statistics
from pathlib import Path
from typing import Any

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.configuration.check import SEEDS
from nerzoo.files import read_run_file
from nerzoo.runs.runner import TrainingRun, check_is_same, config_differences, run_in_turn, train


def train_with_seeds(params: Params, output: Path, num_seeds: int, **options: Any) -> None:
    """
    Trains a model with each seed from 1 on, in the folder `seed-1` of `output` and so on, with options of
    `train_model`. Prints the validation metric of each, their mean and their standard deviation. Models that are
    trained are not trained again, and one that was interrupted goes on. Raises `ConfigurationError` where the
    configuration has no single validation metric, or a folder holds the model of another configuration.
    """
    metric = params.get("trainer", Params({})).get("validation_metric", "-loss")
    if not isinstance(metric, str) or "validation_data_path" not in params:
        raise ConfigurationError("found --seeds, expected validation data and one validation_metric")
    name = metric.lstrip("+-")
    runs = []
    for seed in range(1, num_seeds + 1):
        folder = output / f"seed-{seed}"
        config = Params({**params.as_dict(quiet=True), **dict.fromkeys(SEEDS, seed)})
        if (folder / "config.json").exists():
            check_is_same("model", folder, config_differences(folder / "config.json", config))
        runs.append(TrainingRun(f"seed {seed}", folder, folder / "metrics.json", config))
    scores = list(
        run_in_turn(
            runs,
            lambda run: train(run.config, run.folder, **options),
            lambda path: read_run_file(path, dict)[f"best_validation_{name}"],
            lambda score: f"validation {name} {score:.4f}",
        )
    )
    if len(scores) > 1:
        print(f"mean {statistics.mean(scores):.4f}, standard deviation {statistics.stdev(scores):.4f}")

"""A short training of a configuration."""

import json
from contextlib import chdir
from pathlib import Path

from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from helpers.commands import allennlp
from helpers.paths import ROOT


class ShortTraining:
    """The configuration `name`, changed by `overrides`, and by further overrides in each call."""

    def __init__(self, name, overrides):
        self.config = f"training_config/{name}.jsonnet"
        self.overrides = {"trainer.cuda_device": -1, **overrides}

    def build(self, folder, **overrides):
        """Builds the objects of `allennlp train`."""
        with chdir(ROOT):
            params = Params.from_file(self.config, json.dumps({**self.overrides, **overrides}))
            prepare_environment(params)
            return TrainModel.from_params(params, serialization_dir=str(folder), local_rank=0)

    def __call__(self, folder, *args, **overrides):
        """Runs `allennlp train` with `args`; returns the metrics."""
        allennlp("train", self.config, "-s", folder, *args, overrides={**self.overrides, **overrides})
        return json.loads(Path(folder, "metrics.json").read_text())

"""The configurations of training_config/: rendered, and built for an epoch of a few sentences, lines or threads."""

import copy
import functools
import math
import os
from pathlib import Path

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from helpers.paths import CONFIGS
from helpers.renderings import VARIABLES

from nerzoo.configuration.check import check_training, read_configuration


def names(pattern="**/*"):
    """Returns the sorted names of configurations whose path without its ending matches `pattern`."""
    return sorted(str(path.relative_to(CONFIGS).with_suffix("")) for path in CONFIGS.glob(f"{pattern}.jsonnet"))


def stems(folder):
    return {Path(name).name for name in names(f"{folder}/*")}


def render(name):
    """Returns the configuration `name` as `allennlp train` reads it in this environment."""
    return copy.deepcopy(_rendered(name, *map(os.environ.get, VARIABLES)))


@functools.cache
def _rendered(name, *environment):
    return read_configuration(CONFIGS / f"{name}.jsonnet").as_dict(quiet=True)


def load(name):
    return Params(render(name))


def shorten(params, path):
    """Changes `params` for one epoch on the file `path`: a treebank, or columns for a model that finds errors."""
    reads_corpora = "corpus" in params["dataset_reader"] and params["dataset_reader"]["type"] != "reply_threads"
    finds_errors = "positive_label" in params["model"].get("head", {})
    corpus = {"type": "columns", "coding_scheme": None} if finds_errors else {"type": "conllu", "proper_names": True}
    for part in ("train", "validation", "test"):
        if part != "test" or "test_data_path" in params:
            params[f"{part}_data_path"] = str(path)
    for reader in ("dataset_reader", "validation_dataset_reader"):
        if reads_corpora and reader in params:
            params[reader]["corpus"] = dict(corpus)
            # No pipeline is installed for parsing, and the treebank has trees.
            params[reader].pop("predicted_trees", None)
            params[reader].pop("parser", None)
        elif reader in params and params[reader]["type"] == "reply_threads":
            params[reader].pop("corpus", None)
    if "length" in params["dataset_reader"]:
        # The length of segments, so that a sentence has several.
        params["dataset_reader"]["length"] = 5
    if "cutoffs" in params["model"].get("head", {}):
        params["model"]["head"]["cutoffs"] = [5, 10]
    params["trainer"]["num_epochs"] = 1
    params["trainer"]["cuda_device"] = -1
    # The training is never resumed.
    params["trainer"]["checkpointer"] = {"save_completed_epochs": False}


def build(params, path, folder):
    """Builds everything that `allennlp train` builds, except for the data."""
    shorten(params, path)
    check_training(params.as_dict(quiet=True))
    prepare_environment(params)
    return TrainModel.from_params(params, serialization_dir=str(folder), local_rank=0)


def assert_trains_one_step(training, unused="nothing", zeroed="nothing"):
    """
    Runs `training`; asserts that each trained parameter has a gradient and changes, and that no other one changes.
    Names of parameters that are not trained contain `unused`; names of parameters that are set to zero contain
    `zeroed`.
    """
    model = training.model
    if getattr(model, "encoder", None):
        assert model.encoder.get_input_dim() == model.text_field_embedder.get_output_dim()
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    metrics = training.run()
    assert math.isfinite(metrics["training_loss"])
    assert math.isfinite(metrics["validation_loss"])
    for name, parameter in model.named_parameters():
        if parameter.requires_grad and unused not in name:
            assert parameter.isfinite().all(), name
            if zeroed not in name:
                assert parameter.grad is not None, name
                assert parameter.grad.to_dense().isfinite().all(), name
            assert not torch.equal(parameter, before[name]), name
        else:
            assert torch.equal(parameter, before[name]), name
    return metrics

"""The configurations of thread_structure are built and trained a step, and have the settings of their rows."""

import json
import math
from pathlib import Path

import pytest
import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment

import nerzoo  # noqa: F401

ROOT = Path(__file__).parents[1]
CONFIGS = ROOT / "training_config"
# The rows of Table 1: the decoder, and for how many epochs its transitions are frozen.
TABLE_1 = {"me_crf": ("crf", None), "me_crf_plus": ("crf", 20), "memnet": ("softmax", None)}
DATA = ROOT / "fixtures/threads/dev.jsonl"
NAMES = ["thread_structure", *(f"thread_structure/{row}" for row in TABLE_1)]


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("THREADS", str(DATA))


def load(name, **overrides):
    return Params.from_file(CONFIGS / f"{name}.jsonnet", json.dumps(overrides))


def test_each_row_of_table_1_is_a_leaf():
    assert {path.stem for path in CONFIGS.glob("thread_structure/*.jsonnet")} == set(TABLE_1)


@pytest.mark.parametrize("name", NAMES)
def test_every_configuration_trains_an_epoch(name, tmp_path):
    data = {"train_data_path": str(DATA), "validation_data_path": str(DATA)}
    params = load(name, **data, **{"trainer.num_epochs": 1, "trainer.cuda_device": -1})
    prepare_environment(params)
    training = TrainModel.from_params(params, serialization_dir=str(tmp_path), local_rank=0)
    before = {key: parameter.detach().clone() for key, parameter in training.model.named_parameters()}
    metrics = training.run()
    assert math.isfinite(metrics["training_loss"]) and math.isfinite(metrics["validation_loss"])
    for key, parameter in training.model.named_parameters():
        assert not torch.equal(parameter, before[key]), key


@pytest.mark.parametrize("row", TABLE_1)
def test_settings_of_the_paper(row):
    config = load(f"thread_structure/{row}").as_dict(quiet=True)
    model, trainer = config["model"], config["trainer"]
    frozen = [callback["epochs"] for callback in trainer["callbacks"] if callback != "reproducible"]
    assert TABLE_1[row] == (model["decoder"], frozen[0] if frozen else None)
    assert "reproducible" in trainer["callbacks"]
    assert trainer["optimizer"]["type"] == "adam"
    assert trainer["num_epochs"] == 50
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 32
    assert model["text_field_embedder"]["token_embedders"]["tokens"]["embedding_dim"] == 20
    assert model["title_encoder"]["hidden_size"] == model["text_encoder"]["hidden_size"] == 20
    assert model["memory"]["hidden_size"] == model["structure_size"] == 50
    assert model["memory"]["shared_memory"] and model["memory"].get("num_hops", 1) == 1
    assert model["punctuation_size"] == 100
    assert model["alpha"] == 0.5
    assert {part["dropout"] for part in (model["title_encoder"], model["text_encoder"], model["memory"])} == {0.3}
    assert not model["exclude_self"]

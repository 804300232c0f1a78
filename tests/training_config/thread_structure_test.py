"""The configurations of thread structure have the settings of their rows."""

import pytest
from helpers.configurations import render, stems

import nerzoo  # noqa: F401

# The rows of Table 1: the distribution over acts, and for how many epochs its transitions are frozen.
TABLE_1 = {"me_crf": ("crf", None), "me_crf_plus": ("crf", 20), "memnet": ("softmax", None)}


def test_each_row_of_table_1_is_a_leaf():
    assert stems("thread_structure/paper") == {*TABLE_1, *(f"{row}_validated" for row in TABLE_1)}


@pytest.mark.parametrize("row", TABLE_1)
def test_validated_rows_differ_in_validation_alone(row):
    validated, paper = render(f"thread_structure/paper/{row}_validated"), render(f"thread_structure/paper/{row}")
    assert validated["trainer"].pop("validation_metric") == "+joint_f1"
    assert {validated.pop(f"{seed}_seed") for seed in ("random", "numpy", "pytorch")} == {13370}
    assert validated == paper


@pytest.mark.parametrize("row", TABLE_1)
def test_settings_of_the_paper(row):
    config = render(f"thread_structure/paper/{row}")
    model, trainer = config["model"], config["trainer"]
    frozen = [callback["epochs"] for callback in trainer["callbacks"] if not isinstance(callback, str)]
    assert TABLE_1[row] == (model["distribution"], frozen[0] if frozen else None)
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

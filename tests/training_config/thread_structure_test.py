"""The configurations of thread structure have the settings of their rows."""

import json

import pytest
from allennlp.commands.train import TrainModel
from allennlp.common.util import prepare_environment
from helpers.configurations import load, render, shorten, stems
from helpers.paths import FIXTURES

import nerzoo  # noqa: F401

# The rows of Table 1: the distribution over acts, and for how many epochs its transitions are frozen.
TABLE_1 = {"me_crf": ("crf", None), "me_crf_plus": ("crf", 20), "memnet": ("softmax", None)}


def test_each_row_of_table_1_is_a_leaf():
    assert stems("thread_structure/paper") == {*TABLE_1, *(f"{row}_validated" for row in TABLE_1)}


@pytest.mark.parametrize("row", TABLE_1)
def test_validated_rows_differ_in_validation_alone(row):
    validated, paper = render(f"thread_structure/paper/{row}_validated"), render(f"thread_structure/paper/{row}")
    assert validated["trainer"].pop("validation_metric") == "+joint_f1"
    assert validated == paper


@pytest.mark.parametrize("row", TABLE_1)
def test_settings_of_the_paper(row):
    config = render(f"thread_structure/paper/{row}")
    model, trainer = config["model"], config["trainer"]
    frozen = [callback["epochs"] for callback in trainer["callbacks"] if not isinstance(callback, str)]
    assert TABLE_1[row] == (model["distribution"], frozen[0] if frozen else None)
    assert "reproducible" in trainer["callbacks"]
    assert trainer["optimizer"] == {"type": "fused_adam", "lr": 1e-3}
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


# What rows on free data differ in.
ROWS = {
    "me_crf": {},
    "memnet": {"distribution": "softmax"},
    "me_crf_plus": {},
    "exclude_self": {"exclude_self": True},
}


@pytest.mark.parametrize("corpus, epochs, frozen", [("molweni", 50, 20), ("irc", 15, 6)])
@pytest.mark.parametrize("row", ROWS)
def test_rows_on_free_data_differ_in_one_thing(corpus, epochs, frozen, row):
    config, base = render(f"thread_structure/{corpus}/{row}"), render(f"thread_structure/{corpus}/me_crf")
    base["model"] |= ROWS[row]
    if row == "me_crf_plus":
        base["trainer"]["callbacks"].append({"type": "frozen_transitions", "epochs": frozen})
    assert config == base
    trainer = config["trainer"]
    assert (trainer["num_epochs"], trainer["validation_metric"]) == (epochs, "+joint_f1")
    assert trainer["patience"] > frozen
    assert trainer["optimizer"]["lr"] == 0.01
    assert config["dataset_reader"]["corpus"]["type"] == corpus


@pytest.mark.parametrize("corpus", ["molweni", "irc"])
def test_free_data_has_the_papers_sizes_and_vectors_where_a_row_says_so(corpus, pretrained, monkeypatch):
    paper, config = render("thread_structure/paper")["model"], render(f"thread_structure/{corpus}/me_crf")["model"]
    assert config == paper
    monkeypatch.setenv("WORD_VECTORS", "vectors.txt")
    config = render(f"thread_structure/{corpus}/exclude_self_vectors")["model"]
    tokens = config.pop("text_field_embedder")["token_embedders"]["tokens"]
    assert tokens == {"type": "fixed_embedding", "embedding_dim": 100, "pretrained_file": "vectors.txt"}
    assert config["title_encoder"].pop("input_size") == config["text_encoder"].pop("input_size") == 100
    others = {**paper, "exclude_self": True}
    del others["text_field_embedder"], others["title_encoder"]["input_size"]
    others["text_encoder"].pop("input_size", None)
    assert config == others


def test_acts_that_training_does_not_have_are_known(tmp_path):
    """Words are not."""
    thread = json.loads((FIXTURES / "threads/dev.jsonl").read_text().splitlines()[0])
    thread["posts"][0] |= {"text": "zzyzx", "links": [{"to": None, "act": "rare"}]}
    (tmp_path / "dev.jsonl").write_text(json.dumps(thread) + "\n")
    params = load("thread_structure/paper/me_crf_validated")
    shorten(params, FIXTURES / "threads/train.jsonl")
    params["validation_data_path"] = str(tmp_path / "dev.jsonl")
    prepare_environment(params)
    vocab = TrainModel.from_params(params, serialization_dir=str(tmp_path), local_rank=0).model.vocab
    assert "rare" in vocab.get_token_to_index_vocabulary("labels")
    assert "zzyzx" not in vocab.get_token_to_index_vocabulary("tokens")

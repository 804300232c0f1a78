"""The configurations of the FOFE language model have the settings of their rows."""

import math

import pytest
import torch
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from helpers.configurations import build, load, render, stems
from helpers.paths import REAL_DATA

import nerzoo  # noqa: F401

WIKITEXT2 = REAL_DATA / "wikitext2/wiki.train.tokens.gz"
# The rows of Table 4.1: order and forgetting factor.
TABLE_4_1 = {
    "bigram": (1, 0),
    "trigram": (2, 0),
    "four_gram": (3, 0),
    "five_gram": (4, 0),
    "six_gram": (5, 0),
    "fofe_1": (1, 0.7),
    "fofe_2": (2, 0.7),
}
# Its recurrent networks: sizes of words and of the network.
RECURRENT = {"rnn": (400, 400), "lstm": (100, 358)}
# The rows of Table 4.2 but for the recurrent network: order, forgetting factor, size of hidden layers.
TABLE_4_2 = {
    "ltcb_bigram": (1, 0, 400),
    "ltcb_trigram": (2, 0, 400),
    "ltcb_trigram_600": (2, 0, 600),
    "ltcb_four_gram": (3, 0, 400),
    "ltcb_five_gram": (4, 0, 400),
    "ltcb_fofe_1": (1, 0.7, 400),
    "ltcb_fofe_1_600": (1, 0.7, 600),
    "ltcb_fofe_2": (2, 0.7, 400),
    "ltcb": (2, 0.7, 600),
}
# The best row of Table 4.2 and both of 4.3: order, size of word vectors, sizes of hidden layers and the output layer.
LARGE = {
    "ltcb": (2, 200, [600, 600], {"type": "softmax"}),
    "gbw_2048": (3, 256, [2048, 2048, 2048, 640], {"type": "nce", "num_noise": 2048, "ln_z": 1, "sparse": True}),
    "gbw_4096": (3, 256, [4096, 4096, 4096, 720], {"type": "nce", "num_noise": 4096, "ln_z": 1, "sparse": True}),
}


def test_rows_of_table_4_1():
    assert stems("fofe_lm/paper") == {*TABLE_4_1, *RECURRENT, *TABLE_4_2, "ltcb_rnn", *LARGE}
    for name, row in TABLE_4_1.items():
        encoder = render(f"fofe_lm/paper/{name}")["model"]["encoder"]
        assert (encoder["order"], encoder["alpha"]) == row
    assert render("fofe_lm/paper") == render("fofe_lm/paper/fofe_2")


@pytest.mark.parametrize("row", RECURRENT)
def test_recurrent_rows_of_table_4_1_differ_in_the_network_alone(row):
    config, fofe = render(f"fofe_lm/paper/{row}"), render("fofe_lm/paper")
    word_size, hidden_size = RECURRENT[row]
    fofe["model"]["encoder"] = {"type": row, "input_size": word_size, "hidden_size": hidden_size}
    fofe["model"]["text_field_embedder"]["token_embedders"]["tokens"]["embedding_dim"] = word_size
    del fofe["model"]["feedforward"]
    assert config == fofe


def test_rows_of_table_4_2():
    best = render("fofe_lm/paper/ltcb")
    for name, (order, alpha, size) in TABLE_4_2.items():
        config = render(f"fofe_lm/paper/{name}")
        assert (config["model"]["encoder"]["order"], config["model"]["encoder"]["alpha"]) == (order, alpha)
        assert config["model"]["feedforward"]["hidden_dims"] == [size, size]
        for part in ("encoder", "feedforward"):
            config["model"][part] = best["model"][part]
        assert config == best


def test_the_recurrent_network_of_table_4_2(few_lines, tmp_path):
    config = render("fofe_lm/paper/ltcb_rnn")
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 256
    model = build(load("fofe_lm/paper/ltcb_rnn"), few_lines, tmp_path).model
    assert (model.encoder.get_input_dim(), model.encoder.get_output_dim()) == (600, 600)
    assert isinstance(model.feedforward, torch.nn.Identity)
    weights = dict(model.encoder.named_parameters())
    assert not any(weights[f"_module.bias_{part}_l0"].any() for part in ("ih", "hh"))
    bound = math.sqrt(6 / 1200)
    assert all(0.98 * bound < weights[f"_module.weight_{part}_l0"].abs().max() <= bound for part in ("ih", "hh"))


def test_settings_of_the_thesis_for_the_penn_treebank(few_lines, tmp_path):
    training = build(load("fofe_lm/paper"), few_lines, tmp_path)
    model = training.model
    assert model.text_field_embedder.get_output_dim() == 100
    layers = model.feedforward._linear_layers
    assert [(layer.in_features, layer.out_features) for layer in layers] == [(200, 400), (400, 400)]
    num_words = model.vocab.get_vocab_size() - 1
    sizes = {
        model.text_field_embedder.token_embedder_tokens.weight: num_words + 1 + 100,
        layers[0].weight: 200 + 400,
        layers[1].weight: 400 + 400,
        model.head.word_projection.weight: 400 + num_words,
    }
    for weight, size in sizes.items():
        assert 0.98 * math.sqrt(6 / size) < weight.abs().max() <= math.sqrt(6 / size)
    assert not any(bias.any() for bias in (layers[0].bias, layers[1].bias, model.head.word_projection.bias))
    (group,) = training.trainer.optimizer.param_groups
    assert (group["momentum"], group["weight_decay"]) == (0.9, 4e-4)
    config = render("fofe_lm/paper")
    assert config["vocabulary"] == {
        "max_vocab_size": {"tokens": 10000},
        "min_count": {"tokens": 1},
        "oov_token": "<unk>",
    }
    assert config["trainer"]["learning_rate_scheduler"] == "halve_after_plateau"


def test_models_of_wikitext2_differ_in_the_history_and_the_rate_alone():
    configs = {name: render(f"fofe_lm/wikitext2/{name}") for name in stems("fofe_lm/wikitext2")}
    encoders = {name: config["model"].pop("encoder") for name, config in configs.items()}
    assert encoders.pop("lstm") == {"type": "lstm", "input_size": 100, "hidden_size": 358}
    assert {name: (each["order"], each["alpha"]) for name, each in encoders.items()} == {
        name: TABLE_4_1[name] for name in ("fofe_1", "fofe_2")
    }
    sizes = {name: configs[name]["model"].pop("feedforward")["hidden_dims"] for name in encoders}
    assert sizes == {"fofe_1": [404, 404], "fofe_2": [400, 400]}
    rates = {name: config["trainer"]["optimizer"].pop("lr") for name, config in configs.items()}
    assert rates == {"fofe_1": 0.128, "fofe_2": 0.256, "lstm": 0.512}
    for config in configs.values():
        assert config == configs["lstm"]


def test_wikitext2_has_the_network_of_the_thesis_for_the_penn_treebank():
    config, thesis = render("fofe_lm/wikitext2/fofe_2"), render("fofe_lm/paper")
    assert config["model"] == thesis["model"]
    assert config["vocabulary"] == thesis["vocabulary"]
    trainer, expected = config["trainer"], thesis["trainer"]
    differences = {name for name in {*trainer, *expected} if trainer.get(name) != expected.get(name)}
    assert differences == {"num_epochs", "grad_norm", "learning_rate_scheduler", "optimizer", "callbacks"}
    assert trainer["callbacks"] == ["bfloat16", *expected["callbacks"]]
    optimizer = trainer["optimizer"]
    assert {**optimizer, "lr": 0.128, "weight_decay": 4e-4} == expected["optimizer"]
    assert trainer["learning_rate_scheduler"] == {"type": "halve_after_plateau", "constant_epochs": 4}
    # The parts that are not trained on are read whole.
    assert config["validation_dataset_reader"] == {**config["dataset_reader"], "max_instances": None}


@pytest.mark.skipif(not WIKITEXT2.exists(), reason=f"{WIKITEXT2} is absent")
def test_wikitext2_trains_on_as_many_words_as_the_penn_treebank_has():
    reader = DatasetReader.from_params(load("fofe_lm/wikitext2/lstm")["dataset_reader"])
    assert sum(len(instance["metadata"]["words"]) for instance in reader.read(WIKITEXT2)) == 930_017


def test_the_models_of_wikitext2_have_the_same_number_of_parameters():
    vocab = Vocabulary(tokens_to_add={"tokens": [f"word{number}" for number in range(9999)]})

    def num_parameters(name):
        model = Model.from_params(load(f"fofe_lm/wikitext2/{name}")["model"], vocab=vocab)
        return sum(parameter.numel() for parameter in model.parameters())

    for name in ("fofe_1", "lstm"):
        assert num_parameters(name) == pytest.approx(num_parameters("fofe_2"), rel=0.001)


@pytest.mark.parametrize("name", LARGE)
def test_settings_of_the_thesis_for_large_vocabularies(name):
    order, word_size, sizes, loss = LARGE[name]
    config = render(f"fofe_lm/paper/{name}")
    model, optimizer = config["model"], config["trainer"]["optimizer"]
    embedding = model["text_field_embedder"]["token_embedders"]["tokens"]
    assert embedding == {"type": "embedding", "embedding_dim": word_size, "sparse": True}
    assert (model["encoder"]["order"], model["encoder"]["alpha"]) == (order, 0.7)
    assert model["feedforward"]["hidden_dims"] == sizes
    assert model["head"] == loss
    assert (optimizer["lr"], optimizer["momentum"], optimizer["weight_decay"]) == (0.1, 0, 0)
    limits = config["vocabulary"]["min_count"]["tokens"], config["vocabulary"].get("max_vocab_size")
    assert limits == ((1, {"tokens": 80000}) if name == "ltcb" else (3, None))

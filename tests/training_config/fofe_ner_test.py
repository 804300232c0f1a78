"""The configurations of FOFE-NER have the settings of their rows."""

import math

import pytest
from allennlp.common import Params
from allennlp.data.tokenizers import Token
from helpers.configurations import CONFIGS, build, load, render, stems
from helpers.tiny_pretrained import VECTORS

import nerzoo  # noqa: F401

# Rows of Table 5.1 of the thesis on FOFE: the codes of words in lower case and of words as written, and the features of
# characters.
CODES = ["context_including", "context_excluding", "bag_of_words"]
TABLE_5_1 = {
    "uncased_context_including": (CODES[:1], [], set()),
    "uncased_context_excluding": (CODES[1:2], [], set()),
    "uncased_bag_of_words": (CODES[2:], [], set()),
    "cased_context_including": ([], CODES[:1], set()),
    "cased_context_excluding": ([], CODES[1:2], set()),
    "cased_bag_of_words": ([], CODES[2:], set()),
    "fofe_characters": ([], [], {"fofe_characters"}),
    "character_cnn": ([], [], {"character_cnn"}),
    "uncased": (CODES, [], set()),
    "cased": ([], CODES, set()),
    "words": (CODES, CODES, set()),
    "words_fofe_characters": (CODES, CODES, {"fofe_characters"}),
    "words_character_cnn": (CODES, CODES, {"character_cnn"}),
    "all": (CODES, CODES, {"fofe_characters", "character_cnn"}),
}
THESIS_VECTOR_SIZE = 256


def test_each_row_of_table_5_1_is_a_leaf():
    assert stems("fofe_ner/paper") == {*TABLE_5_1, "original_program"}


@pytest.mark.parametrize("row", TABLE_5_1)
def test_leaf_of_fofe_ner_has_the_features_of_its_row(row):
    features = render(f"fofe_ner/paper/{row}")["model"]["features"]
    codes = [features.pop(name, {"codes": []})["codes"] for name in ("uncased", "cased")]
    assert (*codes, set(features)) == TABLE_5_1[row]


def test_settings_of_the_thesis(few_sentences, tmp_path):
    training = build(load("fofe_ner/paper"), few_sentences, tmp_path)
    features, feedforward = training.model.features, training.model.feedforward
    # Five codes of words in two cases; codes of characters in both directions; eight kernel sizes.
    assert feedforward.get_input_dim() == 2 * 5 * 256 + 2 * 64 + 8 * 16
    assert [layer.out_features for layer in feedforward._linear_layers] == [512] * 3
    bound = math.sqrt(6 / (512 + 512))
    assert 0.95 * bound < feedforward._linear_layers[1].weight.abs().max() <= bound
    assert not feedforward._linear_layers[1].bias.any()
    for name in ("fofe_characters", "character_cnn"):
        assert 0.9 < features[name].embedding.weight.abs().max() <= 1
    assert features["uncased"].alpha == features["cased"].alpha == features["fofe_characters"].alpha == 0.5
    original = render("fofe_ner/paper/original_program")["model"]["features"]
    assert [original[name]["alpha"] for name in ("cased", "uncased", "fofe_characters")] == [0.5, 0.5, 0.8]
    groups = [
        (group["lr"], group["momentum"], len(group["params"])) for group in training.trainer.optimizer.param_groups
    ]
    # Word vectors, those of characters for FOFE, and the CNN and the layers.
    assert groups == [(0.032, 0, 2), (0.064, 0, 1), (0.128, 0.9, 1 + 2 * 8 + 2 * 4)]
    config = render("fofe_ner/paper")
    assert config["trainer"]["num_epochs"] == 128
    assert config["trainer"]["learning_rate_scheduler"]["gamma"] ** 128 == pytest.approx(1 / 16)
    assert config["trainer"]["callbacks"][1] == {"type": "dropout_decay", "initial": 0.4, "final": 0.1}
    assert config["dataset_reader"]["max_length"] == config["model"]["max_length"] == 7


def test_the_vocabulary_of_the_thesis_is_that_of_its_vectors(few_sentences, tmp_path):
    training = build(load("fofe_ner/paper"), few_sentences, tmp_path)
    vocab = training.model.vocab
    special = {"@@PADDING@@", "@@UNKNOWN@@"}
    for name, unknown in (("cased", {"@@UNKNOWN_CAPITALIZED@@"}), ("uncased", set())):
        assert vocab.get_token_to_index_vocabulary(name).keys() == {*special, *unknown, *VECTORS}
    reader = training.trainer.data_loader.reader
    known = next(iter(VECTORS))
    indexer = reader._token_indexers["cased"]
    indices = indexer.tokens_to_indices([Token(word) for word in (known, "Qwxz", "qwxz")], vocab)["tokens"]
    assert indices == [
        vocab.get_token_index(word, "cased") for word in (known, "@@UNKNOWN_CAPITALIZED@@", "@@UNKNOWN@@")
    ]


@pytest.mark.parametrize("context_including", [False, True])
def test_contexts_of_the_second_pass(context_including, tmp_path):
    path = tmp_path / "config.jsonnet"
    folder, flag = CONFIGS / "fofe_ner", str(context_including).lower()
    arguments = f"(import '{CONFIGS}/fofe_ner.jsonnet', 'first', context_including={flag})"
    path.write_text(f"(import '{folder}/second_pass.libsonnet'){arguments}")
    features = Params.from_file(path).as_dict(quiet=True)["model"]["features"]
    assert [words["codes"] for words in features.values()] == [CODES if context_including else CODES[1:]] * 2


def test_settings_of_the_second_pass():
    config, first = render("fofe_ner/small/second_pass"), render("fofe_ner")
    model, first_model = config.pop("model"), first.pop("model")
    assert model.pop("first_pass") == first_model
    assert model.pop("pretrained_file") == "output/first_pass/model/model.tar.gz"
    features = model.pop("features")
    for name, words in first_model.pop("features").items():
        changed = {"type": "fofe_substituted_words", "codes": ["context_excluding", "bag_of_words"]}
        assert features.pop(name) == {**words, **changed}
    assert not features
    assert model == {**first_model, "type": "fofe_ner_second_pass"}
    assert config.pop("validation_dataset_reader") == first["dataset_reader"]
    assert config["dataset_reader"].pop("first_pass") == "output/first_pass/predictions.jsonl"
    assert config == first


def test_word_vectors_of_fofe_ner_are_tuned(few_sentences, tmp_path):
    model = build(load("fofe_ner/paper"), few_sentences, tmp_path).model
    for name in ("cased", "uncased"):
        weight = model.features[name].embedder.weight
        assert weight.requires_grad
        assert weight[model.vocab.get_token_index("lived", name)].tolist() == [VECTORS["lived"]] * THESIS_VECTOR_SIZE

"""The configurations of the character-attention model have the settings of their rows."""

import pytest
from allennlp.common import Params
from helpers.configurations import CONFIGS, build, load, render
from helpers.tiny_pretrained import VECTORS

import nerzoo  # noqa: F401

# The task of each leaf, its combination and the measure that picks the epoch.
CHAR_ATTENTION = {
    "char_attention/paper": ("ner", "attention", "+f1"),
    "char_attention/paper/word": ("ner", "word", "+f1"),
    "char_attention/paper/concat": ("ner", "concat", "+f1"),
    "char_attention/paper/chunking": ("chunking", "attention", "+f1"),
    "char_attention/paper/pos": ("pos", "attention", "+accuracy"),
    "char_attention/paper/error_detection": ("error_detection", "attention", "+f0.5"),
}
GOOGLE_NEWS_VECTOR_SIZE = 300


@pytest.mark.parametrize("name", CHAR_ATTENTION)
def test_settings_of_the_paper_on_characters(name):
    task, combination, metric = CHAR_ATTENTION[name]
    config = render(name)
    model, trainer = config["model"], config["trainer"]
    words = model["text_field_embedder"]["token_embedders"]["words"]
    assert words["combination"] == combination
    assert words["word_embedding"]["embedding_dim"] == 300
    assert words["character_encoder"]["embedding"]["embedding_dim"] == 50
    assert words["character_encoder"]["encoder"]["hidden_size"] == model["encoder"]["hidden_size"] == 200
    assert model["encoder"]["input_size"] == (600 if combination == "concat" else 300)
    assert model["head"]["feedforward"]["hidden_dims"] == 50
    assert (model["head"]["distribution"], model["loss_reduction"]) == ("crf", "sum")
    reader = config["dataset_reader"]
    assert (reader.get("coding_scheme"), model["head"].get("positive_label")) == {
        "pos": (None, None),
        "error_detection": (None, "i"),
    }.get(task, ("BIO", None))
    assert trainer["optimizer"]["type"] == "adadelta" and trainer["optimizer"]["lr"] == 1.0
    assert (trainer["patience"], trainer["validation_metric"]) == (7, metric)
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 64
    assert config["vocabulary"]["min_count"] == {"tokens": 2}


def test_pretrained_vectors_stay_as_they_are_before_training_and_other_weights_are_small(few_sentences, tmp_path):
    model = build(load("char_attention/paper"), few_sentences, tmp_path).model
    embedder = model.text_field_embedder.token_embedder_words
    index = model.vocab.get_token_index("the")
    assert embedder.word_embedding.weight[index].tolist() == [VECTORS["the"]] * GOOGLE_NEWS_VECTOR_SIZE
    for weight in (embedder.gate_hidden.weight, embedder.gate_hidden.bias, model.encoder.forward_network.weight_hh_l0):
        assert 0.08 < weight.std() < 0.12


@pytest.mark.parametrize("combination", ["attention", "concat", "word"])
@pytest.mark.parametrize("name", ["char_attention", *CHAR_ATTENTION])
def test_the_columns_of_the_table_are_one_parameter(name, combination, tmp_path):
    path = tmp_path / "config.jsonnet"
    path.write_text(f"(import '{CONFIGS}/{name}.jsonnet') {{ combination:: '{combination}' }}")
    expected, found = render(name), Params.from_file(path).as_dict(quiet=True)
    words = expected["model"]["text_field_embedder"]["token_embedders"]["words"]
    words["combination"] = combination
    size = words["word_embedding"]["embedding_dim"]
    expected["model"]["encoder"]["input_size"] = 2 * size if combination == "concat" else size
    assert found == expected

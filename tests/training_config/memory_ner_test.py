"""The configurations of document NER with a memory have the settings of their rows."""

import pytest
import torch
from helpers.configurations import build, load, render, stems
from helpers.tiny_pretrained import VECTORS

import nerzoo  # noqa: F401
from nerzoo.allennlp_private import unknown_index

# Of the rows of Table 2 of the memory-enhanced CRF the encoder, its hidden size, the decoder and the reader.
MEMORY_TABLE_2 = {
    "memory_ner/paper": ("memory_hop", 50, "crf", "tagged_documents"),
    "memory_ner/paper/lstm": ("lstm", 300, "softmax", "tagged_sentences"),
    "memory_ner/paper/bilstm": ("bilstm", 300, "softmax", "tagged_sentences"),
    "memory_ner/paper/conv_crf": ("convolution", 300, "crf", "tagged_sentences"),
    "memory_ner/paper/lstm_crf": ("lstm", 300, "crf", "tagged_sentences"),
    "memory_ner/paper/bilstm_crf": ("bilstm", 300, "crf", "tagged_sentences"),
    "memory_ner/paper/memnet": ("memory_hop", 50, "softmax", "tagged_documents"),
}


@pytest.mark.parametrize("row", MEMORY_TABLE_2)
def test_memory_leaf_has_the_components_of_its_row(row):
    config = render(row)
    model = config["model"]
    assert MEMORY_TABLE_2[row] == (
        model["encoder"]["type"],
        model["encoder"]["hidden_size"],
        model["head"]["distribution"],
        config["dataset_reader"]["type"],
    )
    # Once, in the memory or on what another encoder gives.
    assert model.get("dropout", 0) + model["encoder"].get("dropout", 0) == 0.2
    # The dropout of a memory is on its input, too.
    assert model.get("input_dropout") == (None if model["encoder"]["type"] == "memory_hop" else {"p": 0.2})


def test_settings_of_the_memory_paper():
    config = render("memory_ner/paper")
    assert config["trainer"]["num_epochs"] == 100
    assert config["trainer"]["patience"] is not None
    assert config["trainer"]["optimizer"]["type"] == "fused_adam"
    assert config["model"]["encoder"]["num_hops"] == 1
    assert config["dataset_reader"]["coding_scheme"] == "BIO"


@pytest.mark.parametrize(
    "data, size, others",
    [
        (
            "wikigold",
            100,
            {"hops_1_minilm": ("tagged_documents", 1), "bilstm_crf_minilm": ("tagged_sentences", None)},
        ),
        ("gum", 200, {"crf_tagger": ("tagged_sentences", None)}),
        ("redocred", 200, {}),
        ("litbank", 200, {}),
    ],
)
def test_memory_comparison_varies_hops_and_what_is_read(data, size, others):
    configs = {variant: render(f"memory_ner/{data}/{variant}") for variant in stems(f"memory_ner/{data}")}
    found = {
        name: (config["dataset_reader"]["type"], config["model"]["encoder"].get("num_hops"))
        for name, config in configs.items()
    }
    assert found == {
        "bilstm_crf": ("tagged_sentences", None),
        "bilstm_crf_as_wide": ("tagged_sentences", None),
        "sentence_memory": ("tagged_sentences", 1),
        "sentence_hops_0": ("tagged_sentences", 0),
        "hops_0": ("tagged_documents", 0),
        "hops_1": ("tagged_documents", 1),
        "hops_2": ("tagged_documents", 2),
        "hops_3": ("tagged_documents", 3),
        **others,
    }
    sizes = {name: config["model"]["encoder"]["hidden_size"] for name, config in configs.items()}
    # The BiLSTM has as many parameters as the memory, or outputs, of both directions, of its size.
    bilstms = {"bilstm_crf": 1.44, "bilstm_crf_minilm": 1.44, "crf_tagger": 1.44, "bilstm_crf_as_wide": 0.5}
    assert sizes == {name: bilstms.get(name, 1) * size for name in configs}
    for name, config in configs.items():
        like = "hops_1_minilm" if name.endswith("_minilm") else "hops_1"
        assert config["model"]["text_field_embedder"] == configs[like]["model"]["text_field_embedder"]


@pytest.mark.parametrize("row", ["bilstm_crf", "bilstm_crf_as_wide", "sentence_memory", "hops_1", "hops_2"])
def test_rows_on_wikigold_are_trained_as_ner_is(row):
    tagger, config = render("ner"), render(f"memory_ner/wikigold/{row}")
    epochs, rates = [], []
    for trainer in (tagger["trainer"], config["trainer"]):
        epochs.append(trainer.pop("num_epochs"))
        rates.append(trainer["learning_rate_scheduler"].pop("gamma") ** epochs[-1])
    # The rate falls as far in fewer epochs. Optimizer, momentum, learning rate and no patience are the same.
    assert epochs == [50, 30] and rates[1] == pytest.approx(rates[0])
    assert config["trainer"] == tagger["trainer"] and "patience" not in tagger["trainer"]
    assert config["model"]["loss_reduction"] == tagger["model"]["loss_reduction"] == "sentence"
    sizes = [each["data_loader"]["batch_sampler"]["batch_size"] for each in (tagger, config)]
    assert sizes == [10, 10 if config["dataset_reader"]["type"] == "tagged_sentences" else 1]
    model = config["model"]
    # A memory has its own dropout, which is on its input, too.
    own = model["encoder"].get("dropout") if model["encoder"]["type"] == "memory_hop" else model.get("dropout")
    assert own == tagger["model"]["dropout"] == 0.5
    if model["encoder"]["type"] != "memory_hop":
        assert model["input_dropout"] == tagger["model"]["input_dropout"]


@pytest.mark.parametrize("corpus", ["gum", "wikigold", "redocred", "litbank"])
def test_the_baseline_has_as_many_trained_parameters_as_the_memory(
    corpus, few_sentences, pretrained, tmp_path, monkeypatch
):
    monkeypatch.setenv("WORD_VECTORS", str(pretrained / "vectors_100.txt"))

    def size(row):
        model = build(load(f"memory_ner/{corpus}/{row}"), few_sentences, tmp_path / row).model
        return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)

    assert size("bilstm_crf") == pytest.approx(size("hops_1"), rel=0.02)


def test_settings_of_the_memory_program(few_sentences, pretrained, tmp_path, monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", str(pretrained / "vectors_50.txt"))
    training = build(load("memory_ner/paper/original_program"), few_sentences, tmp_path)
    head = training.model.head
    hidden, scores = head.feedforward._linear_layers[0], head.tag_projection
    assert (hidden.in_features, hidden.out_features, scores.in_features) == (56, 64, 64)
    assert torch.equal(head.feedforward(torch.eye(56)), hidden(torch.eye(56)))
    assert training.model.encoder.get_output_dim() == 56
    assert training.model.encoder.output_memory is None
    encoder = training.model.encoder
    for layer in (hidden, encoder.input_memory.projection, encoder.current_projection):
        assert 0.09 < layer.weight.std() < 0.11
    assert (encoder.window.size, encoder.window.kept) == (500, "first")


def test_the_memory_program_decodes_ill_formed_tags_and_scores_their_spans(
    few_sentences, pretrained, tmp_path, monkeypatch
):
    monkeypatch.setenv("WORD_VECTORS", str(pretrained / "vectors_50.txt"))
    model = build(load("memory_ner/paper/original_program"), few_sentences, tmp_path).model
    head = model.head
    labels = model.vocab.get_token_to_index_vocabulary("labels")
    name, inside = next((name, index) for name, index in labels.items() if name.startswith("I-"))
    with torch.no_grad():
        head.tag_projection.bias[inside] = 100.0
    mask = torch.ones(1, 2, dtype=torch.bool)
    tags = torch.tensor([[labels[name.replace("I-", "B-")], inside]])
    outputs = head(torch.zeros(1, 2, 56), mask, tags)
    assert outputs["tags"].tolist() == [[inside, inside]]
    # The ill-formed beginning begins an entity all the same, as conlleval has it.
    assert head.get_metrics(reset=True)["f1"] == 1.0


@pytest.mark.parametrize(
    "name, size, unknown", [("memory_ner/paper", 50, "UNKNOWN"), ("memory_ner/wikigold/hops_1", 100, None)]
)
def test_fixed_word_vectors(name, size, unknown, few_sentences, pretrained, tmp_path, monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", str(pretrained / f"vectors_{size}.txt"))
    model = build(load(name), few_sentences, tmp_path).model
    embedding = model.text_field_embedder.token_embedder_tokens

    def vector(word):
        return embedding(torch.tensor([model.vocab.get_token_index(word)]))[0]

    # Words of the file, whether they are in the data or not.
    for word, value in VECTORS.items():
        assert vector(word).tolist() == [value] * size
    # One that is in the data alone has the vector of the unknown word, of the file or trained.
    assert torch.equal(vector("mara"), embedding(torch.tensor(unknown_index(model.vocab, "tokens"))))
    assert (set(vector("mara").tolist()) == {VECTORS.get(unknown)}) == (unknown is not None)

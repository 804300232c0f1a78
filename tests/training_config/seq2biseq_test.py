"""The configurations of Seq2Biseq have the settings of their rows."""

import math

import pytest
from allennlp.commands.train import TrainModel
from allennlp.common.util import prepare_environment
from allennlp.data import Vocabulary
from allennlp.models import Model
from helpers.configurations import build, load, names, render, stems

import nerzoo  # noqa: F401
from nerzoo.configuration.check import read_configuration

# Rows of the paper on Seq2Biseq: whether there are decoders or a CRF, lexical information in the decoders, one decoder
# alone, the length of segments and the number of optimisers.
CRF = ({"type": "crf", "constrain_decoding": False}, None, None)
BOTH = ("seq2biseq", True, False)
PAPER = {
    "seq2biseq/paper": (*BOTH, 15, 2),
    "seq2biseq/paper/seq2biseq": ("seq2biseq", False, False, 10, 1),
    "seq2biseq/paper/seq2biseq_le": (*BOTH, 10, 1),
    "seq2biseq/paper/seq2biseq_le_segments_15": (*BOTH, 15, 1),
    "seq2biseq/paper/forward_only_segments_15": ("seq2biseq", True, True, 15, 1),
    "seq2biseq/paper/two_optimizers_one_after_another": (*BOTH, 15, 2),
    "seq2biseq/paper/seq2biseq_le_hidden_200": (*BOTH, 15, 1),
    "seq2biseq/paper/forward_only_hidden_200": ("seq2biseq", True, True, 15, 1),
    "seq2biseq/paper/bigru_crf": (*CRF, 15, 1),
    "seq2biseq/paper/bigru_crf_as_large": (*CRF, 15, 1),
    "seq2biseq/paper/wsj": (*BOTH, None, 1),
    "seq2biseq/paper/wsj_segments": (*BOTH, 15, 1),
    "seq2biseq/paper/wsj_two_optimizers": (*BOTH, None, 2),
    "seq2biseq/paper/wsj_bigru_crf": (*CRF, None, 1),
    "seq2biseq/paper/wsj_lstm_crf": (*CRF, None, 1),
    "seq2biseq/paper/wsj_lstm_crf_glove": (*CRF, None, 1),
}
# The same of what is compared on free data, on SNIPS and on the treebank.
VARIANTS = {
    "forward_only": ("seq2biseq", True, True, None, 1),
    "seq2biseq": ("seq2biseq", False, False, None, 1),
    "seq2biseq_le": (*BOTH, None, 1),
    "segments": (*BOTH, (10, 15), 1),
    "two_optimizers": (*BOTH, None, 2),
    "one_optimizer_twice_the_rate": (*BOTH, None, 1),
    "one_optimizer_weighted": (*BOTH, None, 1),
    "scheduled_sampling": (*BOTH, None, 1),
    "last_characters": (*BOTH, None, 1),
    "seq2biseq_le_glove": (*BOTH, None, 1),
    "last_characters_glove": (*BOTH, None, 1),
    "last_characters_minilm": (*BOTH, None, 1),
    "bigru_crf": (*CRF, None, 1),
    "bigru_crf_same_encoder": (*CRF, None, 1),
    "bigru_crf_glove": (*CRF, None, 1),
    "bigru_crf_last_characters": (*CRF, None, 1),
    "bigru_crf_last_characters_glove": (*CRF, None, 1),
    "bigru_crf_last_characters_minilm": (*CRF, None, 1),
}
CORPORA = ["snips", "ud_english_ewt"]
CHARACTER_ENCODER = "model.text_field_embedder.token_embedders.token_characters.encoder"


def row_of(config):
    model, optimizer = config["model"], config["trainer"]["optimizer"]
    head = model["head"]
    assert config["validation_dataset_reader"]["type"] == "tagged_sentences"
    callbacks = [
        callback if isinstance(callback, str) else callback["type"] for callback in config["trainer"]["callbacks"]
    ]
    assert ("per_loss" in callbacks) == ("optimizers" in optimizer)
    # The same dropout for all.
    assert model["type"] == "seq2biseq" and model["dropout"] == head.get("dropout", model["dropout"]) == 0.5
    has_decoders = "type" in head
    return (
        head["type"] if has_decoders else head["distribution"],
        head.get("lexical_information", True) if has_decoders else None,
        head.get("forward_only", False) if has_decoders else None,
        config["dataset_reader"].get("length"),
        len(optimizer.get("optimizers", ["loss"])),
    )


def without(config, *paths):
    """A configuration without some of its parts, `a.b.c`."""
    for path in paths:
        *parts, last = path.split(".")
        node = config
        for part in parts:
            node = node[part]
        node.pop(last, None)
    return config


def test_rows_of_the_paper_are_leaves():
    assert {"seq2biseq/paper", *(f"seq2biseq/paper/{row}" for row in stems("seq2biseq/paper"))} == set(PAPER)
    for name, expected in PAPER.items():
        assert row_of(render(name)) == expected, name


@pytest.mark.parametrize("corpus", CORPORA)
def test_variants_on_free_data(corpus):
    assert stems(f"seq2biseq/{corpus}") == set(VARIANTS)
    for variant, (*others, length, num_optimizers) in VARIANTS.items():
        config = render(f"seq2biseq/{corpus}/{variant}")
        length = length and length[CORPORA.index(corpus)]
        assert row_of(config) == (*others, length, num_optimizers), variant
        assert config["random_seed"] == 17
        assert config["data_loader"]["batch_sampler"]["batch_size"] == 32
        if variant != "segments":
            assert (
                config["trainer"]["num_epochs"] == render(f"seq2biseq/{corpus}/seq2biseq_le")["trainer"]["num_epochs"]
            )


def test_rows_on_names_are_two_decoders_one_and_a_crf():
    both, one, crf = (f"{row}last_characters_glove" for row in ("", "forward_only_", "bigru_crf_"))
    assert stems("seq2biseq/uner_ewt") == {both, one, crf}
    names, tags = (render(f"seq2biseq/{corpus}/{both}") for corpus in ("uner_ewt", "ud_english_ewt"))
    assert row_of(names) == row_of(tags) == (*BOTH, None, 1)
    assert row_of(render(f"seq2biseq/uner_ewt/{one}")) == ("seq2biseq", True, True, None, 1)
    assert row_of(render(f"seq2biseq/uner_ewt/{crf}")) == (*CRF, None, 1)
    readers = ("dataset_reader", "validation_dataset_reader")
    assert [names[reader]["coding_scheme"] for reader in readers] == ["BIO", "BIO"]
    assert names["trainer"]["validation_metric"] == "+f1"
    places = [f"{reader}.{place}" for reader in readers for place in ("coding_scheme", "tags_from")]
    places += ["train_data_path", "validation_data_path", "trainer.validation_metric"]
    assert without(names, *places) == without(tags, *places)


def test_on_names_the_crf_has_as_many_parameters_as_two_decoders(few_sentences, tmp_path):
    both, crf = (
        build(load(f"seq2biseq/uner_ewt/{row}last_characters_glove"), few_sentences, tmp_path / f"_{row}").model
        for row in ("", "bigru_crf_")
    )
    sizes = [sum(parameter.numel() for parameter in model.parameters()) for model in (both, crf)]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.02)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize(
    "variant, parts",
    [
        ("forward_only", ["model.head.forward_only"]),
        ("seq2biseq", ["model.head.lexical_information"]),
        ("segments", ["dataset_reader", "trainer.num_epochs"]),
        ("two_optimizers", ["trainer.optimizer", "trainer.callbacks"]),
        ("one_optimizer_twice_the_rate", ["trainer.optimizer.lr"]),
        ("one_optimizer_weighted", ["model.head.backward_weight"]),
        ("scheduled_sampling", ["trainer.callbacks"]),
        ("last_characters", [CHARACTER_ENCODER]),
        ("bigru_crf_same_encoder", ["model.head"]),
        ("bigru_crf", ["model.head", "model.encoder.hidden_size"]),
        ("bigru_crf_last_characters", [CHARACTER_ENCODER, "model.head", "model.encoder.hidden_size"]),
    ],
)
def test_a_variant_differs_from_the_one_with_both_decoders_in_one_thing(corpus, variant, parts):
    full, other = (render(f"seq2biseq/{corpus}/{name}") for name in ("seq2biseq_le", variant))
    assert full != other
    assert without(full, *parts) == without(other, *parts)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("row", ["seq2biseq_le", "last_characters", "bigru_crf", "bigru_crf_last_characters"])
def test_rows_with_word_vectors_differ_in_words_alone(corpus, row):
    words = ["dataset_reader.token_indexers.tokens", "validation_dataset_reader.token_indexers.tokens", "vocabulary"]
    words += ["model.text_field_embedder.token_embedders.tokens", "model.encoder.input_size"]
    learned, glove = (render(f"seq2biseq/{corpus}/{name}") for name in (row, f"{row}_glove"))
    assert without(learned, *words) == without(glove, *words)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("row", ["last_characters", "bigru_crf_last_characters"])
def test_rows_over_minilm_differ_from_those_with_word_vectors_in_the_transformer_alone(corpus, row):
    transformer = [f"{reader}.token_indexers.transformer" for reader in ("dataset_reader", "validation_dataset_reader")]
    transformer.append("model.text_field_embedder.token_embedders.transformer")
    glove, minilm = (render(f"seq2biseq/{corpus}/{row}_{words}") for words in ("glove", "minilm"))
    assert minilm["model"]["encoder"]["input_size"] == glove["model"]["encoder"].pop("input_size") + 384
    assert without(minilm, *transformer, "model.encoder.input_size") == glove


def test_segments_on_wsj_differ_in_what_is_read_for_training_alone():
    sentences, segments = (render(f"seq2biseq/paper/{name}") for name in ("wsj", "wsj_segments"))
    assert segments["dataset_reader"]["start"] == "every_token"
    assert without(sentences, "dataset_reader") == without(segments, "dataset_reader")


@pytest.mark.parametrize(
    "name, length, stride",
    [("paper", 15, 1), ("paper/wsj_segments", 15, 1), ("snips/segments", 10, 1), ("ud_english_ewt/segments", 15, 5)],
)
def test_segments_start_at_every_token_or_at_every_fifth(name, length, stride):
    reader = render(f"seq2biseq/{name}")["dataset_reader"]
    expected = {"type": "tagged_segments", "length": length, "stride": stride, "start": "every_token"}
    assert {key: reader.get(key) for key in expected} == expected


def test_controls_for_two_optimizers_and_scheduled_sampling():
    rows = ("two_optimizers", "one_optimizer_twice_the_rate", "one_optimizer_weighted", "scheduled_sampling")
    two, fast, weighted, sampling = (render(f"seq2biseq/snips/{row}") for row in rows)
    rate = two["trainer"]["optimizer"]["optimizers"]["loss"]["lr"]
    assert fast["trainer"]["optimizer"]["lr"] == 2 * rate
    assert weighted["model"]["head"]["backward_weight"] == 1.5
    assert sampling["trainer"]["callbacks"][-1] == "scheduled_sampling"


def test_one_optimizer_after_the_other_is_the_row_of_two_but_for_their_order():
    both, in_turn = (
        render(f"seq2biseq/{name}")["trainer"] for name in ("paper", "paper/two_optimizers_one_after_another")
    )
    assert "per_loss" in both["callbacks"]
    assert in_turn["callbacks"] == [
        {"type": "per_loss", "one_after_another": True} if callback == "per_loss" else callback
        for callback in both["callbacks"]
    ]


@pytest.mark.parametrize("corpus", CORPORA)
def test_sizes_on_free_data_are_those_of_the_paper(corpus):
    paper = {"snips": "seq2biseq/paper/seq2biseq_le", "ud_english_ewt": "seq2biseq/paper/wsj"}[corpus]
    models = [render(name)["model"] for name in (f"seq2biseq/{corpus}/seq2biseq_le", paper)]
    assert models[0] == models[1]


@pytest.mark.parametrize("name", ["snips/seq2biseq_le_glove", "snips/bigru_crf_glove", "paper/wsj_lstm_crf_glove"])
def test_word_vectors_stay_as_they_are_and_serve_words_that_train_does_not_have(
    name, few_sentences, pretrained, tmp_path
):
    model = build(load(f"seq2biseq/{name}"), few_sentences, tmp_path).model
    embedder = model.text_field_embedder.token_embedder_tokens
    words = model.vocab.get_token_to_index_vocabulary("tokens")
    for line in (pretrained / "vectors_100.txt").read_text().splitlines():
        word, *numbers = line.split(" ")
        assert embedder.fixed[words[word]].tolist() == pytest.approx([float(x) for x in numbers], rel=1e-3, abs=1e-6)


def test_settings_of_seq2biseq():
    media, wsj = (render(name) for name in ("seq2biseq/paper", "seq2biseq/paper/wsj"))
    for config, sizes, epochs in ((media, (200, 300), 40), (wsj, (300, 150), 52)):
        model = config["model"]
        embedders = model["text_field_embedder"]["token_embedders"]
        characters = embedders["token_characters"]
        assert (embedders["tokens"]["embedding_dim"], model["head"]["hidden_size"]) == sizes
        assert model["head"]["hidden_size"] == model["encoder"]["hidden_size"]
        assert (characters["embedding"]["embedding_dim"], characters["encoder"]["hidden_size"]) == (30, 100)
        assert (model["head"]["label_embedding_dim"], model["head"]["dropout"], model["dropout"]) == (150, 0.5, 0.5)
        assert config["trainer"]["num_epochs"] == epochs
        assert config["trainer"]["validation_metric"] == "+accuracy"
        assert config["data_loader"]["batch_sampler"]["batch_size"] == 100
    sgd = {"type": "sgd", "lr": 0.125, "momentum": 0.9}
    expected = {"backward_loss": sgd, "loss": {**sgd, "weight_decay": 1e-4}}
    # The paper counts errors of concepts by sclite; parts of speech are none.
    assert media["model"]["head"]["concept_error_rate"] and media["model"]["head"]["sclite_weights"]
    assert "concept_error_rate" not in wsj["model"]["head"]
    assert media["trainer"]["optimizer"] == {"type": "per_loss", "optimizers": expected}
    assert wsj["trainer"]["optimizer"] == {
        "type": "fused_adam",
        "lr": 1e-3,
        "decoupled_weight_decay": True,
        "weight_decay": 1e-4,
    }


@pytest.mark.parametrize(
    "name",
    [
        *names("seq2biseq/paper/wsj*"),
        *names("seq2biseq/snips/*"),
        *names("seq2biseq/ud_english_ewt/*"),
        *names("seq2biseq/uner_ewt/*"),
    ],
)
def test_weights_decay_apart_from_the_gradient_where_the_optimiser_is_adam(name):
    optimizer = render(name)["trainer"]["optimizer"]
    for each in optimizer.get("optimizers", {"loss": optimizer}).values():
        assert each["type"] == "fused_adam" and each["decoupled_weight_decay"], name


@pytest.mark.parametrize(
    "row, size", [("bigru_crf", 200), ("bigru_crf_as_large", 581), ("wsj_bigru_crf", 266), ("wsj_lstm_crf", 200)]
)
def test_sizes_of_the_baseline(row, size):
    assert render(f"seq2biseq/paper/{row}")["model"]["encoder"]["hidden_size"] == size


@pytest.mark.parametrize("row", ["wsj_lstm_crf", "wsj_lstm_crf_glove"])
def test_the_lstm_crf_of_table_6(row):
    model = render(f"seq2biseq/paper/{row}")["model"]
    embedders = model["text_field_embedder"]["token_embedders"]
    characters = embedders["token_characters"]
    assert model["encoder"]["type"] == "bilstm"
    assert embedders["tokens"]["embedding_dim"] == 100
    assert characters["embedding"]["embedding_dim"] == 30
    cnn = {"type": "cnn", "embedding_dim": 30, "num_filters": 30, "ngram_filter_sizes": [3]}
    assert characters["encoder"] == cnn


@pytest.mark.parametrize(
    "row, published, expected",
    [("seq2biseq_le_hidden_200", 2_139_950, 2_202_158), ("forward_only_hidden_200", 1_703_450, 1_671_659)],
)
def test_parameters_of_the_paper(row, published, expected):
    vocab = Vocabulary()
    tags = ["O", *(f"{mark}-{concept}" for concept in range(49) for mark in "BI")]
    for namespace, tokens in {
        "tokens": range(2210),
        "token_characters": range(60),
        "labels": tags,
        "coding_scheme_labels": ["BIO"],
    }.items():
        vocab.add_tokens_to_namespace([str(token) for token in tokens], namespace)
    model = Model.from_params(load(f"seq2biseq/paper/{row}")["model"], vocab=vocab)
    assert sum(parameter.numel() for parameter in model.parameters()) == expected
    assert expected == pytest.approx(published, rel=0.03)


@pytest.mark.parametrize("row", ["paper", "paper/bigru_crf"])
def test_concepts_that_only_development_and_test_data_have_are_wrong_and_no_reason_to_stop(row, tmp_path, monkeypatch):
    long = "une x null\nchambre x hotel-B\ndouble x hotel-I\n" * 6
    (tmp_path / "train.txt").write_text(f"{long}\n{long}\n")
    (tmp_path / "dev.txt").write_text("une x null\nautre x dev-B\n\n")
    (tmp_path / "test.txt").write_text("une x null\nautre x test-B\nautre x test-I\n\n")
    monkeypatch.setenv("MEDIA", str(tmp_path))
    # A small model learns as much of two sentences.
    sizes = {
        "word_vector_size": 20,
        "character_hidden_size": 10,
        "label_size": 15,
        "hidden_size": 30,
        "crf_hidden_size": 20,
    }
    params = read_configuration(f"seq2biseq/{row}", options=sizes)
    # Long enough that a tag that was never right has learned not to be.
    params["trainer"]["num_epochs"] = 30
    params["trainer"]["cuda_device"] = -1
    prepare_environment(params)
    training = TrainModel.from_params(params, serialization_dir=str(tmp_path / "out"), local_rank=0)
    metrics = training.run()
    vocab = training.model.vocab
    assert vocab.get_token_to_index_vocabulary("labels").keys() == {
        *("O", "B-hotel", "I-hotel", "B-dev", "I-dev", "B-test", "I-test")
    }
    assert vocab.get_token_to_index_vocabulary("tokens").keys() == {
        "@@PADDING@@",
        "@@UNKNOWN@@",
        "une",
        "chambre",
        "double",
    }
    assert math.isfinite(metrics["validation_loss"])
    # Half of the tags at most are right, and nothing is found of the concept.
    assert (
        metrics["validation_accuracy"] <= 0.5 and metrics["validation_f1"] == 0.0 and metrics["validation_cer"] >= 1.0
    )


def test_embeddings_of_the_paper_start_from_the_normal_distribution(few_sentences, tmp_path):
    model = build(load("seq2biseq/paper/wsj"), few_sentences, tmp_path).model
    embedders = model.text_field_embedder
    for weight in (
        embedders.token_embedder_tokens.weight,
        embedders.token_embedder_token_characters._embedding._module.weight,
        model.head.forward_decoder.embedding.weight,
    ):
        assert 0.9 < weight.std() < 1.1

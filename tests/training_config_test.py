import math
from pathlib import Path

import allennlp_models.tagging  # noqa: F401
import pytest
import torch
from allennlp.commands.train import TrainModel, train_model
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from helpers.tiny_pretrained import write_elmo, write_transformer

import nerzoo  # noqa: F401

CONFIGS = Path(__file__).parents[1] / "training_config"
ERRORS = CONFIGS.parent / "fixtures/error_detection/dev.tsv"
NAMES = sorted(str(path.relative_to(CONFIGS).with_suffix("")) for path in CONFIGS.rglob("*.jsonnet"))
# They read threads and plain text, or take what a model has learned, and have tests of their own.
OTHERS = ("thread_structure", "fofe_lm", "deptree_ner_word_vectors")
NAMES = [name for name in NAMES if not name.startswith(OTHERS)]
WORD, POS, DEP = set(), {"pos"}, {"pos", "dep"}
# Features, semantic and syntactic layers, relative and global attention, residual connections.
TABLE_2 = {
    "tlstm_word": (WORD, 0, 1, False, False, False),
    "tlstm_word_pos": (POS, 0, 1, False, False, False),
    "tlstm_word_pos_dep": (DEP, 0, 1, False, False, False),
    "blstm_word": (WORD, 1, 0, False, False, False),
    "blstm_word_pos": (POS, 1, 0, False, False, False),
    "blstm_word_pos_dep": (DEP, 1, 0, False, False, False),
    "stacked_tlstm": (DEP, 0, 2, False, False, False),
    "stacked_tlstm_residual": (DEP, 0, 2, False, False, True),
    "stacked_blstm": (DEP, 2, 0, False, False, False),
    "stacked_blstm_residual": (DEP, 2, 0, False, False, True),
    "tlstm_ra": (DEP, 0, 2, True, False, True),
    "tlstm_ga": (DEP, 0, 2, False, True, True),
    "tlstm_ra_ga": (DEP, 0, 2, True, True, True),
    "blstm_ra": (DEP, 2, 0, True, False, True),
    "blstm_ga": (DEP, 2, 0, False, True, True),
    "blstm_ra_ga": (DEP, 2, 0, True, True, True),
    "tlstm_blstm_ra_ga": (DEP, 2, 2, True, True, True),
}
# Of the rows of Table 2 of the memory-enhanced CRF the encoder, its hidden size, the decoder and the reader.
MEMORY_TABLE_2 = {
    "memory_ner_paper": ("memory_hop", 50, "crf", "tagged_documents"),
    "memory_ner/lstm": ("lstm", 300, "softmax", "tagged_sentences"),
    "memory_ner/bilstm": ("bilstm", 300, "softmax", "tagged_sentences"),
    "memory_ner/conv_crf": ("convolution", 300, "crf", "tagged_sentences"),
    "memory_ner/lstm_crf": ("lstm", 300, "crf", "tagged_sentences"),
    "memory_ner/bilstm_crf": ("bilstm", 300, "crf", "tagged_sentences"),
    "memory_ner/memnet": ("memory_hop", 50, "softmax", "tagged_documents"),
}
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
VECTOR_SIZE = 50
THESIS_VECTOR_SIZE = 256
GOOGLE_NEWS_VECTOR_SIZE = 300
VECTORS = {"lived": 1.5, "the": -0.75, "unheard": -2.5, "<unk>": 0.5, "UNKNOWN": 0.25}


@pytest.fixture(autouse=True, scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pretrained")
    write_elmo(folder)
    write_transformer(folder)
    rows = ((word, *[str(value)] * VECTOR_SIZE) for word, value in VECTORS.items())
    (folder / "vectors.txt").write_text("".join(" ".join(row) + "\n" for row in rows))
    rows = ((word, *[str(value)] * THESIS_VECTOR_SIZE) for word, value in VECTORS.items())
    (folder / "thesis_vectors.txt").write_text("".join(" ".join(row) + "\n" for row in rows))
    rows = ((word, *[str(value)] * GOOGLE_NEWS_VECTOR_SIZE) for word, value in VECTORS.items())
    (folder / "google_news_vectors.txt").write_text("".join(" ".join(row) + "\n" for row in rows))
    variables = {
        "SEED": "13370",
        "SEMEVAL2010": "semeval2010",
        "CONLL2003": "conll2003",
        "CONLL2000": "conll2000",
        "WSJ": "wsj",
        "FCE": "fce",
        "ELMO_OPTIONS": str(folder / "options.json"),
        "ELMO_WEIGHTS": str(folder / "weights.hdf5"),
        "WORD_VECTORS": str(folder / "vectors.txt"),
        "WORD_VECTORS_CASED": str(folder / "vectors.txt"),
        "CASED_WORD_VECTORS": str(folder / "thesis_vectors.txt"),
        "UNCASED_WORD_VECTORS": str(folder / "thesis_vectors.txt"),
        "WORD2VEC": str(folder / "google_news_vectors.txt"),
        "TRANSFORMER": str(folder),
        "THREADS": "threads",
        "FIRST_PASS": "first_pass",
        "ROW": "all",
        "COMBINATION": "attention",
        "MEDIA": "media",
        "VARIANT": "two_optimizers",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


def load(name):
    return Params.from_file(CONFIGS / f"{name}.jsonnet")


def shorten(params, sentences):
    """For an epoch on other data, which has errors where these are to be found."""
    corpus: dict = {"type": "conllu", "proper_names": True}
    if "positive_label" in params["model"]:
        sentences, corpus = ERRORS, {"type": "columns", "scheme": None}
    params["train_data_path"] = params["validation_data_path"] = str(sentences)
    for reader in ("dataset_reader", "validation_dataset_reader"):
        if reader in params:
            params[reader]["corpus"] = dict(corpus)
    if "length" in params["dataset_reader"]:
        # Of segments, of which a sentence has several.
        params["dataset_reader"]["length"] = 5
    params["trainer"]["num_epochs"] = 1
    params["trainer"]["cuda_device"] = -1


def build(params, sentences, folder):
    """What `allennlp train` builds, but for the data."""
    shorten(params, sentences)
    prepare_environment(params)
    return TrainModel.from_params(params, serialization_dir=str(folder), local_rank=0)


def assert_trains_one_step(training, unused="nothing"):
    model = training.model
    if hasattr(model, "encoder"):
        assert model.encoder.get_input_dim() == model.text_field_embedder.get_output_dim()
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    metrics = training.run()
    assert math.isfinite(metrics["training_loss"])
    assert math.isfinite(metrics["validation_loss"])
    for name, parameter in model.named_parameters():
        if parameter.requires_grad and unused not in name:
            assert parameter.grad is not None, name
            assert parameter.grad.isfinite().all(), name
            assert not torch.equal(parameter, before[name]), name
        else:
            assert torch.equal(parameter, before[name]), name


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("second_pass")])
def test_every_configuration_trains_one_step(name, few_sentences, tmp_path):
    assert_trains_one_step(build(load(name), few_sentences, tmp_path))


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("second_pass")])
def test_every_second_pass_trains_one_step(name, few_sentences, tmp_path):
    params, first = load(name), load(name).as_dict(quiet=True)
    first["model"], first["dataset_reader"] = first["model"]["first_pass"], first.pop("validation_dataset_reader")
    shorten(first, few_sentences)
    train_model(Params(first), tmp_path / "first")
    params["dataset_reader"]["first_pass"] = "gold"
    params["model"]["pretrained_file"] = str(tmp_path / "first/model.tar.gz")
    assert_trains_one_step(build(params, few_sentences, tmp_path / "second"))


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*/*.jsonnet")), ids=lambda path: path.stem)
def test_leaves_are_short(path):
    assert len(path.read_text().splitlines()) < 25


def test_each_row_of_table_2_is_a_leaf():
    assert {path.stem for path in CONFIGS.glob("deptree_ner/*.jsonnet")} == set(TABLE_2)


@pytest.mark.parametrize("row", TABLE_2)
def test_leaf_has_the_components_of_its_row(row):
    model = load(f"deptree_ner/{row}").as_dict(quiet=True)["model"]
    encoder = model["encoder"]
    assert TABLE_2[row] == (
        set(model["text_field_embedder"]["token_embedders"]) - {"elmo"},
        len(encoder["semantic"]),
        len(encoder["syntactic"]),
        "relative_attention" in encoder,
        "global_attention" in encoder,
        encoder["residual"],
    )


def test_settings_of_the_paper():
    config = load("deptree_ner_paper").as_dict(quiet=True)
    trainer = config["trainer"]
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 16
    assert config["model"]["dropout"] == config["model"]["encoder"]["dropout"] == 0.3
    assert config["model"]["label_encoding"] == "BIOUL"
    assert trainer["num_epochs"] == 150
    assert trainer["grad_norm"] == 5.0
    assert trainer["optimizer"]["type"] == "sgd"
    assert trainer["optimizer"]["lr"] == 5e-3
    assert trainer["learning_rate_scheduler"] == {"type": "cosine", "t_initial": 10, "t_mul": 2}


def test_learning_rate_restarts_after_epochs_10_30_70_and_150():
    trainer = load("deptree_ner_paper")["trainer"]
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=trainer["optimizer"]["lr"])
    scheduler = LearningRateScheduler.from_params(trainer["learning_rate_scheduler"], optimizer=optimizer)
    rates = [optimizer.param_groups[0]["lr"]]
    for _ in range(trainer["num_epochs"]):
        scheduler.step()
        rates.append(optimizer.param_groups[0]["lr"])
    assert [epoch for epoch, rate in enumerate(rates) if rate == 5e-3] == [0, 10, 30, 70, 150]
    assert [epoch + 1 for epoch in range(150) if rates[epoch] < rates[epoch + 1]] == [10, 30, 70, 150]


@pytest.mark.parametrize("name, word_size", [("deptree_ner", 64), ("deptree_ner_paper", 256)])
def test_features_have_a_quarter_of_the_word_size_and_xavier_weights(name, word_size, few_sentences, tmp_path):
    embedder = build(load(name), few_sentences, tmp_path).model.text_field_embedder
    for feature in ("pos", "dep"):
        weight = getattr(embedder, f"token_embedder_{feature}").weight
        assert weight.shape[1] == word_size // 4
        bound = math.sqrt(6 / sum(weight.shape))
        assert 0.95 * bound < weight.abs().max() <= bound
    assert embedder.get_output_dim() == word_size + 2 * (word_size // 4)


@pytest.mark.parametrize("name", ["deptree_ner", "deptree_ner_paper", "deptree_ner/blstm_word", "deptree_ner_gum/full"])
def test_weight_decay_is_for_the_weights_of_extractors_and_attentions_alone(name, few_sentences, tmp_path):
    training = build(load(name), few_sentences, tmp_path)
    decayed, others = training.trainer.optimizer.param_groups
    assert (decayed["weight_decay"], others["weight_decay"]) == (2e-5, 0)
    # Biases and the parameters of layer normalisation are vectors.
    expected = [parameter for parameter in training.model.encoder.parameters() if parameter.dim() == 2]
    assert set(decayed["params"]) == set(expected)


def compose(word_vectors, folder):
    """A configuration over the shared ones with the word vectors of a library, in jsonnet."""
    path = folder / "config.jsonnet"
    path.write_text(
        f"""
        (import '{CONFIGS}/lib/deptree_ner.libsonnet') + {word_vectors} {{
          corpus:: {{}},
          trainer: {{ optimizer: {{ type: 'adam', parameter_groups: $.regularised }} }},
        }}
        """
    )
    return Params.from_file(path)


def test_trains_with_a_transformer(few_sentences, tmp_path):
    params = compose(f"(import '{CONFIGS}/lib/transformer.libsonnet') {{ word_size:: 8 }}", tmp_path)
    training = build(params, few_sentences, tmp_path / "output")
    assert training.model.text_field_embedder.get_output_dim() == 12
    assert_trains_one_step(training, unused="pooler")


def test_trains_with_word_vectors_from_a_file(few_sentences, tmp_path):
    glove = f"(import '{CONFIGS}/lib/glove.libsonnet') {{ word_vector_size:: {VECTOR_SIZE}, character_filters:: 4 }}"
    training = build(compose(glove, tmp_path), few_sentences, tmp_path / "output")
    model = training.model
    vectors = model.text_field_embedder.token_embedder_tokens.weight
    assert vectors[model.vocab.get_token_index("lived")].tolist() == [VECTORS["lived"]] * VECTOR_SIZE
    assert vectors.requires_grad
    assert_trains_one_step(training)


@pytest.mark.parametrize("row", MEMORY_TABLE_2)
def test_memory_leaf_has_the_components_of_its_row(row):
    config = load(row).as_dict(quiet=True)
    model = config["model"]
    assert MEMORY_TABLE_2[row] == (
        model["encoder"]["type"],
        model["encoder"]["hidden_size"],
        model["decoder"],
        config["dataset_reader"]["type"],
    )
    # Once, in the memory or on what another encoder gives.
    assert model.get("dropout", 0) + model["encoder"].get("dropout", 0) == 0.2


def test_settings_of_the_memory_paper():
    config = load("memory_ner_paper").as_dict(quiet=True)
    assert config["trainer"]["num_epochs"] == 100
    assert config["trainer"]["patience"] is not None
    assert config["trainer"]["optimizer"]["type"] == "adam"
    assert config["model"]["encoder"]["num_hops"] == 1
    assert config["model"]["label_encoding"] == config["dataset_reader"]["coding_scheme"] == "BIO"


@pytest.mark.parametrize("data, peers", [("wikigold", []), ("gum", ["crf_tagger"])])
def test_memory_comparison_varies_hops_and_what_is_read(data, peers):
    paths = CONFIGS.glob(f"memory_ner_{data}/*.jsonnet")
    configs = {path.stem: load(f"memory_ner_{data}/{path.stem}").as_dict(quiet=True) for path in paths}
    found = {
        name: (config["dataset_reader"]["type"], config["model"]["encoder"].get("num_hops"))
        for name, config in configs.items()
    }
    assert found == {
        "bilstm_crf": ("tagged_sentences", None),
        "sentence_memory": ("tagged_sentences", 1),
        "hops_0": ("tagged_documents", 0),
        "hops_1": ("tagged_documents", 1),
        "hops_2": ("tagged_documents", 2),
        "hops_3": ("tagged_documents", 3),
        **dict.fromkeys(peers, ("tagged_sentences", None)),
    }
    assert {config["model"]["encoder"]["hidden_size"] for config in configs.values()} == {50}
    embedders = [config["model"]["text_field_embedder"] for config in configs.values()]
    assert all(embedder == embedders[0] for embedder in embedders)


def test_settings_of_the_memory_program(few_sentences, tmp_path):
    training = build(load("memory_ner/original_program"), few_sentences, tmp_path)
    head = training.model.head
    hidden, scores = head.feedforward._linear_layers[0], head.tag_projection
    assert (hidden.in_features, hidden.out_features, scores.in_features) == (56, 64, 64)
    assert torch.equal(head.feedforward(torch.eye(56)), hidden(torch.eye(56)))
    assert training.model.encoder.hidden_size == 56
    assert training.model.encoder.output_memory is None
    assert training.model.current_projection is not None
    for layer in (hidden, training.model.encoder.input_memory.projection, training.model.current_projection):
        assert 0.09 < layer.weight.std() < 0.11
    memory = load("memory_ner/original_program")["dataset_reader"]["memory"].as_dict(quiet=True)
    assert memory == {"size": 500, "kept": "first"}


@pytest.mark.parametrize("name, unknown", [("memory_ner_paper", "UNKNOWN"), ("memory_ner_gum/hops_1", "<unk>")])
def test_fixed_word_vectors(name, unknown, few_sentences, tmp_path):
    model = build(load(name), few_sentences, tmp_path).model
    embedding = model.text_field_embedder.token_embedder_tokens
    assert not embedding.weight.requires_grad
    # Words of the file, whether they are in the data or not, and one that is in the data alone.
    for word, value in {**VECTORS, "mara": VECTORS[unknown]}.items():
        index = model.vocab.get_token_index(word)
        assert embedding.weight[index].tolist() == [value] * VECTOR_SIZE


def test_each_row_of_table_5_1_is_a_leaf():
    assert {path.stem for path in CONFIGS.glob("fofe_ner/*.jsonnet")} == set(TABLE_5_1)


@pytest.mark.parametrize("row", TABLE_5_1)
def test_leaf_of_fofe_ner_has_the_features_of_its_row(row):
    features = load(f"fofe_ner/{row}").as_dict(quiet=True)["model"]["features"]
    codes = [features.pop(name, {"codes": []})["codes"] for name in ("uncased", "cased")]
    assert (*codes, set(features)) == TABLE_5_1[row]


def test_settings_of_the_thesis(few_sentences, tmp_path):
    training = build(load("fofe_ner_paper"), few_sentences, tmp_path)
    features, feedforward = training.model.features, training.model.feedforward
    # Five codes of words in two cases; codes of characters in both directions; eight kernel sizes.
    assert feedforward.get_input_dim() == 2 * 5 * 256 + 2 * 64 + 8 * 16
    assert [layer.out_features for layer in feedforward._linear_layers] == [512] * 3
    bound = math.sqrt(6 / (512 + 512))
    assert 0.95 * bound < feedforward._linear_layers[1].weight.abs().max() <= bound
    assert not feedforward._linear_layers[1].bias.any()
    for name in ("fofe_characters", "character_cnn"):
        assert 0.9 < features[name].embedding.weight.abs().max() <= 1
    assert features["uncased"].alpha == features["cased"].alpha == 0.5
    groups = [
        (group["lr"], group["momentum"], len(group["params"])) for group in training.trainer.optimizer.param_groups
    ]
    # Word vectors, those of characters for FOFE, and the CNN and the layers.
    assert groups == [(0.032, 0, 2), (0.064, 0, 1), (0.128, 0.9, 1 + 2 * 8 + 2 * 4)]
    config = load("fofe_ner_paper").as_dict(quiet=True)
    assert config["trainer"]["num_epochs"] == 128
    assert config["trainer"]["learning_rate_scheduler"]["gamma"] ** 128 == pytest.approx(1 / 16)
    assert config["trainer"]["callbacks"][1] == {"type": "dropout_decay", "initial": 0.4, "final": 0.1}
    assert config["dataset_reader"]["max_length"] == config["model"]["max_length"] == 7


def test_settings_of_the_second_pass():
    config, first = load("fofe_ner_second_pass").as_dict(quiet=True), load("fofe_ner").as_dict(quiet=True)
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
    model = build(load("fofe_ner_paper"), few_sentences, tmp_path).model
    for name in ("cased", "uncased"):
        weight = model.features[name].embedder.weight
        assert weight.requires_grad
        assert weight[model.vocab.get_token_index("lived", name)].tolist() == [VECTORS["lived"]] * THESIS_VECTOR_SIZE


# The task of each leaf, its combination and the measure that picks the epoch.
CHAR_ATTENTION = {
    "char_attention_paper": ("ner", "attention", "+f1"),
    "char_attention/word": ("ner", "word", "+f1"),
    "char_attention/concat": ("ner", "concat", "+f1"),
    "char_attention/chunking": ("chunking", "attention", "+f1"),
    "char_attention/pos": ("pos", "attention", "+accuracy"),
    "char_attention/error_detection": ("error_detection", "attention", "+f0.5"),
}


@pytest.mark.parametrize("name", CHAR_ATTENTION)
def test_settings_of_the_paper_on_characters(name):
    task, combination, metric = CHAR_ATTENTION[name]
    config = load(name).as_dict(quiet=True)
    model, trainer = config["model"], config["trainer"]
    words = model["text_field_embedder"]["token_embedders"]["words"]
    assert words["combination"] == combination
    assert words["word_embedding"]["embedding_dim"] == 300
    assert words["character_encoder"]["embedding"]["embedding_dim"] == 50
    assert words["character_encoder"]["encoder"]["hidden_size"] == model["encoder"]["hidden_size"] == 200
    assert model["encoder"]["input_size"] == (600 if combination == "concat" else 300)
    assert model["feedforward"]["hidden_dims"] == 50
    assert (model["decoder"], model["loss_reduction"]) == ("crf", "sum")
    assert (model.get("label_encoding"), model.get("positive_label")) == {
        "pos": (None, None),
        "error_detection": (None, "i"),
    }.get(task, ("BIO", None))
    assert trainer["optimizer"]["type"] == "adadelta" and trainer["optimizer"]["lr"] == 1.0
    assert (trainer["patience"], trainer["validation_metric"]) == (7, metric)
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 64
    assert config["vocabulary"]["min_count"] == {"tokens": 2}


def test_pretrained_vectors_stay_as_they_are_before_training_and_other_weights_are_small(few_sentences, tmp_path):
    model = build(load("char_attention_paper"), few_sentences, tmp_path).model
    embedder = model.text_field_embedder.token_embedder_words
    index = model.vocab.get_token_index("the")
    assert embedder.word_embedding.weight[index].tolist() == [VECTORS["the"]] * GOOGLE_NEWS_VECTOR_SIZE
    for weight in (embedder.gate_hidden.weight, embedder.gate_hidden.bias, model.encoder.forward_network.weight_hh_l0):
        assert 0.08 < weight.std() < 0.12


@pytest.mark.parametrize("combination", ["attention", "concat", "word"])
@pytest.mark.parametrize("name", ["char_attention_ner", *CHAR_ATTENTION])
def test_the_columns_of_the_table_are_one_parameter(name, combination, tmp_path):
    path = tmp_path / "config.jsonnet"
    path.write_text(f"(import '{CONFIGS}/{name}.jsonnet') {{ combination:: '{combination}' }}")
    expected, found = load(name).as_dict(quiet=True), Params.from_file(path).as_dict(quiet=True)
    words = expected["model"]["text_field_embedder"]["token_embedders"]["words"]
    words["combination"] = combination
    size = words["word_embedding"]["embedding_dim"]
    expected["model"]["encoder"]["input_size"] = 2 * size if combination == "concat" else size
    assert found == expected


# Rows of the paper on Seq2Biseq: the model, lexical information in the decoders, one decoder alone, the length of
# segments and the number of optimisers.
SEQ2BISEQ = {
    "seq2biseq_paper": ("seq2biseq", True, False, 15, 2),
    "seq2biseq/seq2biseq": ("seq2biseq", False, False, 10, 1),
    "seq2biseq/seq2biseq_le": ("seq2biseq", True, False, 10, 1),
    "seq2biseq/seq2biseq_le_segments_15": ("seq2biseq", True, False, 15, 1),
    "seq2biseq/forward_only_segments_15": ("seq2biseq", True, True, 15, 1),
    "seq2biseq/bigru_crf": ("sequence_tagger", None, None, 15, 1),
    "seq2biseq/wsj": ("seq2biseq", True, False, None, 1),
    "seq2biseq/wsj_two_optimizers": ("seq2biseq", True, False, None, 2),
    "seq2biseq/wsj_bigru_crf": ("sequence_tagger", None, None, None, 1),
}
SEQ2BISEQ_VARIANTS = {
    "seq2biseq": ("seq2biseq", False, False, None, 1),
    "seq2biseq_le": ("seq2biseq", True, False, None, 1),
    "segments": ("seq2biseq", True, False, 10, 1),
    "forward_only": ("seq2biseq", True, True, None, 1),
    "two_optimizers": ("seq2biseq", True, False, None, 2),
    "bigru_crf": ("sequence_tagger", None, None, None, 1),
}


def seq2biseq_row(config):
    model, optimizer = config["model"], config["trainer"]["optimizer"]
    is_seq2biseq = model["type"] == "seq2biseq"
    assert config["validation_dataset_reader"]["type"] == "tagged_sentences"
    assert ("per_loss" in config["trainer"]["callbacks"]) == ("optimizers" in optimizer)
    return (
        model["type"],
        model.get("lexical_information", True) if is_seq2biseq else None,
        model.get("forward_only", False) if is_seq2biseq else None,
        config["dataset_reader"].get("length"),
        len(optimizer.get("optimizers", ["loss"])),
    )


def test_rows_of_seq2biseq_are_leaves():
    leaves = {f"seq2biseq/{path.stem}" for path in CONFIGS.glob("seq2biseq/*.jsonnet")}
    assert {"seq2biseq_paper", *leaves} == set(SEQ2BISEQ)
    for name, expected in SEQ2BISEQ.items():
        assert seq2biseq_row(load(name).as_dict(quiet=True)) == expected, name


@pytest.mark.parametrize("variant", SEQ2BISEQ_VARIANTS)
def test_variants_of_seq2biseq_on_real_data(variant, monkeypatch):
    monkeypatch.setenv("VARIANT", variant)
    config = load("seq2biseq_real/snips").as_dict(quiet=True)
    assert seq2biseq_row(config) == SEQ2BISEQ_VARIANTS[variant]
    assert config["random_seed"] == 13370


def test_settings_of_seq2biseq():
    media, wsj = (load(name).as_dict(quiet=True) for name in ("seq2biseq_paper", "seq2biseq/wsj"))
    for config, sizes, epochs in ((media, (200, 300), 40), (wsj, (300, 150), 52)):
        model = config["model"]
        embedders = model["text_field_embedder"]["token_embedders"]
        characters = embedders["token_characters"]
        assert (embedders["tokens"]["embedding_dim"], model["hidden_size"]) == sizes
        assert model["hidden_size"] == model["encoder"]["hidden_size"]
        assert (characters["embedding"]["embedding_dim"], characters["encoder"]["hidden_size"]) == (30, 100)
        assert (model["label_embedding_dim"], model["dropout"]) == (150, 0.5)
        assert config["trainer"]["num_epochs"] == epochs
        assert config["trainer"]["validation_metric"] == "+accuracy"
        assert config["data_loader"]["batch_sampler"]["batch_size"] == 100
    sgd = {"type": "sgd", "lr": 0.125, "momentum": 0.9}
    expected = {"backward_loss": sgd, "loss": {**sgd, "weight_decay": 1e-4}}
    assert media["trainer"]["optimizer"] == {"type": "per_loss", "optimizers": expected}
    assert wsj["trainer"]["optimizer"] == {"type": "adam", "lr": 1e-3, "weight_decay": 1e-4}

"""The configurations of FOFE-NER have the settings of their rows."""

import math

import pytest
import torch
from allennlp.common import Params
from allennlp.data.tokenizers import Token
from helpers.configurations import CONFIGS, build, load, names, render, stems
from helpers.tiny_pretrained import VECTORS

import nerzoo  # noqa: F401
from nerzoo.configuration.check import read_configuration

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
TABLE_5_3 = {"development_set", "second_pass", "development_set_second_pass"}
# Rows of Tables 5.5, 5.6 and 5.8: the data for training and the number of epochs.
KBP = {
    "kbp2015_english": ("kbp2015", 128),
    "kbp2015_chinese": ("kbp2015", 128),
    "kbp2015_spanish": ("kbp2015", 128),
    "kbp2016_english": ("kbp2015_in_house", 64),
    "kbp2016_english_kbp2015": ("kbp2015_all", 256),
    "kbp2016_english_wikipedia": ("kbp2015_wikipedia", 256),
    "kbp2016_chinese": ("kbp2015_in_house", 64),
    "kbp2016_spanish": ("kbp2015_wikipedia", 256),
}
# The row of each free corpus that has the features of the thesis. The last two have none of our variants of it.
FREE = {
    **{"wikigold": "all", "wnut17": "all", "gum": "nested", "genia": "nested", "germeval": "nested"},
    **{"litbank": "nested", "redocred": "all"},
}
VARIED = [*FREE][:-2]


def test_rows_of_the_thesis_are_leaves():
    assert stems("fofe_ner/paper") == {*TABLE_5_1, *TABLE_5_3, *KBP, "original_program"}


def test_rows_of_table_5_3(monkeypatch):
    monkeypatch.setenv("FIRST_PASS", "first")
    thesis = render("fofe_ner/paper")
    more_data = {**thesis, "train_data_path": "conll2003/eng.train_testa"}
    del more_data["validation_data_path"]
    assert render("fofe_ner/paper/development_set") == more_data
    for name, first in (("second_pass", thesis), ("development_set_second_pass", more_data)):
        second = render(f"fofe_ner/paper/{name}")
        model, reader = second["model"], second["dataset_reader"]
        assert (model["type"], model["first_pass"]) == ("fofe_ner_second_pass", first["model"])
        assert reader == {**first["dataset_reader"], "first_pass": "first/predictions.jsonl"}
        differences = {"model", "dataset_reader", "validation_dataset_reader"}
        assert {key: value for key, value in second.items() if key not in differences} == {
            key: value for key, value in first.items() if key not in differences
        }


@pytest.mark.parametrize("row", KBP)
def test_rows_of_kbp(row):
    year, language = row.split("_")[:2]
    training, epochs = KBP[row]
    config = render(f"fofe_ner/paper/{row}")
    model, reader = config["model"], config["dataset_reader"]
    assert config["train_data_path"] == f"kbp/{language}/{training}.train.jsonl"
    assert config["validation_data_path"] == f"kbp/{language}/{training}.dev.jsonl"
    assert config["trainer"]["num_epochs"] == epochs
    assert config["trainer"]["learning_rate_scheduler"]["gamma"] ** epochs == pytest.approx(1 / 16)
    assert model["sampler"] == {"overlap_rate": 0.08, "disjoint_rate": 0.016}
    merging = [{"type": name, "merge_adjacent": True} for name in ("longest_first", "highest_first")]
    assert model["decoder"]["levels"] == merging
    words, characters = {
        "english": ({"cased", "uncased"}, {"type": "characters", "min_padding_length": 1}),
        "spanish": ({"cased", "uncased"}, {"type": "hashed_characters"}),
        "chinese": ({"character", "word"}, None),
    }[language]
    assert reader.get("character_level") == (language == "chinese")
    assert reader["token_indexers"].get("characters") == characters
    others = {"fofe_characters", "character_cnn"} if characters else set()
    if year == "kbp2016":
        others.add("gazetteer")
    assert model["features"].keys() == words | others
    assert {model["features"][name]["embedder"]["embedding_dim"] for name in words} == {128}


@pytest.mark.parametrize("corpus", FREE)
def test_rows_on_free_data_have_the_rates_of_the_thesis(corpus):
    def optimizer(row):
        options = render(f"fofe_ner/{corpus}/{row}")["trainer"]["optimizer"]
        rate = options["lr"]
        groups = {names[0]: (of["lr"] / rate, of.get("momentum")) for names, of in options["parameter_groups"]}
        return options["type"], options.get("momentum"), groups

    characters = r"features[.]fofe_characters[.]embedding[.]"
    words = r"features[.]uncased[.].*embedder[.]"
    # Momentum is SGD's.
    assert optimizer(FREE[corpus]) == ("dense_sparse_adam", None, {characters: (0.5, None)})
    if corpus in VARIED:
        assert optimizer("sgd") == ("sgd", 0.9, {characters: (0.5, 0)})
    if corpus in VARIED and corpus != "germeval":
        assert optimizer("tuned") == ("dense_sparse_adam", None, {characters: (0.5, None), words: (0.25, None)})


@pytest.mark.parametrize("corpus", FREE)
def test_rows_on_free_data_know_training_words_alone_and_read_digits_as_zeros(corpus):
    config = render(f"fofe_ner/{corpus}/{FREE[corpus]}")
    assert config["datasets_for_vocab_creation"] == ["train"]
    indexers = config["dataset_reader"]["token_indexers"]
    assert indexers["cased"]["type"] == indexers["uncased"]["type"] == "zero_digits"


@pytest.mark.parametrize("corpus", VARIED)
def test_rows_on_free_data_differ_in_what_their_names_say(corpus):
    config = render(f"fofe_ner/{corpus}/{FREE[corpus]}")
    lexical = render(f"fofe_ner/{corpus}/lexical")
    feature, indexer = {"type": "boundary_words", "indexer": "lexical_features"}, {"type": "lexical_features"}
    assert lexical["model"]["features"].pop("lexical_features") == {**feature, "embedder": indexer}
    readers = [reader for reader in ("dataset_reader", "validation_dataset_reader") if reader in config]
    for reader in readers:
        assert lexical[reader]["token_indexers"].pop("lexical_features") == indexer
    assert lexical == config
    sgd = render(f"fofe_ner/{corpus}/sgd")
    assert sgd["trainer"].pop("optimizer")["lr"] == 0.128
    assert sgd["trainer"]["learning_rate_scheduler"]["gamma"] == pytest.approx(
        config["trainer"]["learning_rate_scheduler"]["gamma"]
    )
    # Words as written are learned: their gradients are sparse where the optimizer has no momentum for them.
    config["model"]["features"]["cased"]["embedder"].pop("sparse")
    config["model"]["features"]["uncased"]["embedder"].pop("sparse", None)
    assert sgd["model"] == config["model"]


@pytest.mark.parametrize("name", names("fofe_ner/*/encoded"))
def test_encoded_rows_have_an_encoder_below_codes_and_boundary_words(name):
    config = render(name)
    model, embedders = config["model"], config["model"]["token_embedders"]
    assert {*embedders} == {*config["dataset_reader"]["token_indexers"]} >= {"lexical_features"}
    assert model["encoder"]["type"] == "bilstm" and model["sampler"]["corrected"]
    size = 2 * model["encoder"]["hidden_size"]
    encoded = {"indexer": "encoded", "embedder": {"type": "pass_through", "hidden_dim": size}}
    codes = {"type": "fofe_words", "codes": ["context_including", "bag_of_words"]}
    assert model["features"].pop("fofe_words").items() >= {**encoded, **codes}.items()
    assert model["features"].pop("boundary_words") == {**encoded, "type": "boundary_words"}
    assert not model["features"]


def test_words_of_the_vectors_and_of_the_training_part_are_known(few_sentences, pretrained, tmp_path, monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", str(pretrained / "vectors_100.txt"))
    training = build(load("fofe_ner/wnut17/lexical"), few_sentences, tmp_path)
    vocab, features = training.model.vocab, training.model.features
    uncased = vocab.get_token_to_index_vocabulary("uncased")
    assert VECTORS.keys() <= uncased.keys()
    assert not VECTORS.keys() <= vocab.get_token_to_index_vocabulary("cased").keys()
    assert "@@UNKNOWN_CAPITALIZED@@" in vocab.get_token_to_index_vocabulary("cased")
    vectors = features["uncased"].embedder(torch.tensor([uncased[word] for word in VECTORS]))
    assert torch.equal(vectors, torch.tensor(list(VECTORS.values())).unsqueeze(1).expand(-1, 100).half().float())
    assert features["lexical_features"].get_output_dim() == 30
    assert training.trainer.optimizer.param_groups[0]["lr"] == training.trainer.optimizer.param_groups[1]["lr"] / 2
    tuned = build(load("fofe_ner/wnut17/tuned"), few_sentences, tmp_path / "tuned").model.features["uncased"].embedder
    assert tuned.weight.shape == (len(uncased), 100)
    assert tuned.sparse


@pytest.mark.parametrize("corpus", FREE)
def test_taggers_beside_fofe_ner_have_its_data(corpus, monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", "" if corpus == "germeval" else "vectors.txt")
    fofe, tagger = render(f"fofe_ner/{corpus}/{FREE[corpus]}"), render(f"fofe_ner/{corpus}/bilstm_crf")
    for part in ("train_data_path", "validation_data_path", "datasets_for_vocab_creation"):
        assert tagger.get(part) == fofe.get(part)
    for reader in ("dataset_reader", "validation_dataset_reader"):
        assert tagger.get(reader, {}).get("corpus") == fofe.get(reader, {}).get("corpus")
    assert tagger["dataset_reader"]["token_indexers"]["tokens"]["type"] == "zero_digits"
    lexical = render(f"fofe_ner/{corpus}/bilstm_crf_lexical")
    assert lexical["model"] == render("ner")["model"]
    assert lexical["model"]["encoder"].pop("input_size") == tagger["model"]["encoder"].pop("input_size") + 6
    embedders = lexical["model"]["text_field_embedder"]["token_embedders"]
    assert embedders.pop("lexical_features") == {"type": "lexical_features"}
    assert lexical["model"] == tagger["model"]


@pytest.mark.parametrize("row", TABLE_5_1)
def test_leaf_of_fofe_ner_has_the_features_of_its_row(row):
    config = render(f"fofe_ner/paper/{row}")
    features = config["model"]["features"]
    indexers = {"cased": "cased_unknown", "uncased": "single_id"}
    # The first 100,000 words of each file, and none that the corpus alone has.
    words = features.keys() & indexers.keys()
    vocabulary = config["vocabulary"]
    assert vocabulary["only_include_pretrained_words"]
    assert vocabulary.get("min_pretrained_embeddings", {}) == dict.fromkeys(words, 100000)
    assert all(vocabulary["min_count"][name] > 10**8 for name in words)
    found = config["dataset_reader"]["token_indexers"]
    assert {name: found[name]["type"] for name in words} == {name: indexers[name] for name in words}
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


def test_a_filter_is_an_option_and_off_by_default():
    plain = render("fofe_ner/small/nested")
    filtered = read_configuration("fofe_ner/small/nested", options={"span_filter": True}).as_dict(quiet=True)
    assert filtered["model"].pop("span_filter") == {}
    assert filtered == plain


ALPHAS = {"second_alpha": 0.9, "alpha": 0.6, "character_alpha": 0.7}


def test_two_forgetting_factors_of_words_at_once(few_sentences, tmp_path):
    plain, config = render("fofe_ner/paper"), read_configuration("fofe_ner/paper", options=ALPHAS)
    training = build(config.duplicate(), few_sentences, tmp_path)
    assert {name: each.alpha for name, each in training.model.features.items() if hasattr(each, "alpha")} == {
        **{"cased": 0.6, "uncased": 0.6, "cased_second": 0.9, "uncased_second": 0.9},
        "fofe_characters": 0.7,
    }
    assert training.model.features["cased_second"].codes == CODES[:2]
    # All vectors of words have their own rate.
    assert [len(group["params"]) for group in training.trainer.optimizer.param_groups][0] == 4
    config = config.as_dict(quiet=True)
    for name in ("cased", "uncased"):
        del config["model"]["features"][f"{name}_second"]
    for part in ("dataset_reader", "vocabulary"):
        assert config[part] == plain[part]
    assert config["model"]["features"].keys() == plain["model"]["features"].keys()


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

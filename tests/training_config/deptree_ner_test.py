"""The configurations of dependency-aware NER have the settings of their rows."""

import math
import os

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from helpers.configurations import CONFIGS, assert_trains_one_step, build, load, render, stems
from helpers.renderings import VARIABLES
from helpers.tiny_pretrained import VECTORS

import nerzoo  # noqa: F401
from nerzoo.configuration.check import read_configuration
from nerzoo.configuration.sources import evaluate
from nerzoo.modules.token_embedders.embedding import FixedEmbedding

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
CORPORA = {"conll2003": "columns", "conll2012": "ontonotes", "ontonotes_bn": "ontonotes"}
# The same corpora with trees that are converted from constituents.
CONVERTED = {"conll2012_converted", "ontonotes_bn_converted"}
INSIDE = ["semantic", "syntactic", "relative_attention"]
# The differences of rows that are not the paper's.
OURS = {
    "global_outside": {"residual": INSIDE, "norm": INSIDE},
    "global_without_norm": {"residual": True, "norm": INSIDE},
    "query_final": {"query": "final"},
    "query_from_states": {"query_from": "states"},
}
# The same for GUM, whose full model has the global attention outside the norm.
OURS_ON_GUM = {
    "global_outside": {"residual": INSIDE},
    "global_inside_norm": {"norm": True},
    "query_final": {"query": "final"},
}


def test_each_row_of_table_2_is_a_leaf():
    assert stems("deptree_ner/paper") == {*TABLE_2, *CORPORA, *CONVERTED, *OURS}


@pytest.mark.parametrize("row", TABLE_2)
def test_leaf_has_the_components_of_its_row(row):
    model = render(f"deptree_ner/paper/{row}")["model"]
    encoder = model["encoder"]
    assert TABLE_2[row] == (
        set(model["text_field_embedder"]["token_embedders"]) - {"elmo"},
        len(encoder["semantic"]),
        len(encoder["syntactic"]),
        "relative_attention" in encoder,
        "global_attention" in encoder,
        encoder["residual"],
    )


@pytest.mark.parametrize(
    "full, row, difference",
    [
        *(("deptree_ner/paper", row, difference) for row, difference in OURS.items()),
        *(("deptree_ner/gum/full", row, difference) for row, difference in OURS_ON_GUM.items()),
    ],
)
def test_rows_that_are_not_the_papers_differ_in_one_thing(full, row, difference):
    config, expected = render(f"{full.removesuffix('/full')}/{row}"), render(full)
    expected["model"]["encoder"] |= difference
    assert config == expected


def evaluated(path, expression):
    variables = {name: os.environ[name] for name in VARIABLES}
    return evaluate(path, f"local base = import '{path}'; {expression}", variables)


@pytest.mark.parametrize(
    "corpus", ["paper", *(f"paper/{name}" for name in (*CORPORA, *sorted(CONVERTED))), "gum/full", "uner_ewt/full"]
)
def test_a_row_is_an_option_of_every_corpus(corpus):
    path = CONFIGS / "deptree_ner" / f"{corpus}.jsonnet"
    rows = f"(import '{CONFIGS}/deptree_ner/rows.libsonnet')"
    expression = f"[[base {{ row:: row }}, base + {rows}[row]] for row in {[*TABLE_2, *OURS]}]"
    for by_option, by_leaf in evaluated(path, expression):
        assert by_option == by_leaf


def test_a_row_with_one_feature_has_an_odd_input_on_gum(few_sentences, tmp_path):
    params = read_configuration("deptree_ner/gum/full", options={"row": "blstm_word_pos"})
    training = build(params, few_sentences, tmp_path)
    encoder = training.model.encoder
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (155, 156)
    assert_trains_one_step(training)


def test_an_unknown_row_is_an_error_with_those_that_there_are():
    with pytest.raises(ConfigurationError, match="row must be one of .*tlstm_ra_ga, .*; found full"):
        evaluated(CONFIGS / "deptree_ner/gum/full.jsonnet", "base { row:: 'full' }")


@pytest.mark.parametrize("name", ["deptree_ner", "deptree_ner/gum/full", "deptree_ner/uner_ewt/full", "zoo/en-trees"])
def test_outside_the_papers_settings_no_norm_cancels_the_weights_of_the_global_attention(name):
    encoder = render(name)["model"]["encoder"]
    assert (encoder["residual"], encoder["norm"]) == (True, INSIDE)
    assert render("deptree_ner/paper")["model"]["encoder"]["norm"] is True


# The rows on UNER-EWT, and what of their encoder is not that of the full model.
UNER_EWT = {
    "without_tree_lstm": {"syntactic"},
    "without_relative_attention": {"relative_attention"},
    "without_global_attention": {"global_attention"},
    "stacked": {"semantic", "syntactic"},
    "plain_bilstm": {"syntactic", "relative_attention", "global_attention", "residual", "norm"},
    "bilstm_as_large": {"semantic", "syntactic", "relative_attention", "global_attention", "residual", "norm"},
}

# The rows on UNER-EWT over MiniLM, and their features.
OVER_MINILM = {
    "full": DEP,
    "words_only": WORD,
    "plain_bilstm": DEP,
    "blstm_word": WORD,
}


def test_rows_on_uner_ewt_are_leaves():
    assert stems("deptree_ner/uner_ewt") == {"full", *UNER_EWT, *(f"minilm_{row}" for row in OVER_MINILM)}


@pytest.mark.parametrize("row", OVER_MINILM)
def test_rows_over_minilm_have_the_vectors_of_the_transformer_and_features(row):
    config = render(f"deptree_ner/uner_ewt/minilm_{row}")
    embedders = config["model"]["text_field_embedder"]["token_embedders"]
    assert embedders.keys() == config["dataset_reader"]["token_indexers"].keys() == {"transformer", *OVER_MINILM[row]}
    assert not embedders["transformer"]["train_parameters"]
    is_full = row in ("full", "words_only")
    assert [bool(config["model"]["encoder"].get(name)) for name in ("syntactic", "residual")] == [is_full] * 2
    others = render("deptree_ner/uner_ewt/full")
    assert {name for name in others if others[name] != config[name]} == {"dataset_reader", "model", "vocabulary"}


@pytest.mark.parametrize("row", UNER_EWT)
def test_rows_on_uner_ewt_differ_in_parts_of_the_encoder_alone(row):
    config, full = render(f"deptree_ner/uner_ewt/{row}"), render("deptree_ner/uner_ewt/full")
    encoder, whole = config["model"].pop("encoder"), full["model"].pop("encoder")
    assert config == full
    # The attentions have the size of the stacks that there are.
    attentions = {"relative_attention", "global_attention"} if row == "without_tree_lstm" else set()
    assert {key for key in whole if encoder.get(key) != whole[key]} == UNER_EWT[row] | attentions


@pytest.mark.parametrize("corpus", ["uner_ewt", "uner_pt", "uner_sk"])
def test_a_bilstm_has_as_many_trained_parameters_as_the_full_model(corpus, few_sentences, tmp_path):
    def size(row):
        model = build(load(f"deptree_ner/{corpus}/{row}"), few_sentences, tmp_path / row).model
        return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)

    assert size("bilstm_as_large") == pytest.approx(size("full"), rel=0.02)


def test_elmo_starts_each_batch_from_a_zero_state():
    embedders = render("deptree_ner/paper")["model"]["text_field_embedder"]["token_embedders"]
    assert embedders["elmo"]["type"] == "stateless_elmo"


@pytest.mark.parametrize("corpus", CORPORA)
def test_other_corpora_have_their_own_folders_and_predicted_trees(corpus):
    config, paper = render(f"deptree_ner/paper/{corpus}"), render("deptree_ner/paper")
    assert config["dataset_reader"]["corpus"]["type"] == CORPORA[corpus]
    for name in ("train_data_path", "validation_data_path"):
        assert config.pop(name).startswith(f"{corpus}/")
        assert paper.pop(name).startswith("semeval2010/")
    assert config["dataset_reader"].pop("predicted_trees")
    assert config["dataset_reader"].pop("parser") == {"pipeline": "parser"}
    for each in (config, paper):
        del each["dataset_reader"]["corpus"]
    assert config == paper


@pytest.mark.parametrize("corpus", sorted(CONVERTED))
def test_converted_trees_come_from_the_corpus(corpus):
    converted, predicted = (render(f"deptree_ner/paper/{name}") for name in (corpus, corpus.removesuffix("_converted")))
    del predicted["dataset_reader"]["parser"]
    predicted["dataset_reader"] |= {"corpus": {"type": "ontonotes", "trees": True}, "predicted_trees": False}
    assert converted == predicted


@pytest.fixture(scope="module")
def readers_on_conll2003():
    """The readers of all rows, rendered together: Jsonnet reads what they share once."""
    corpus = f'(import "{CONFIGS}/deptree_ner/corpora.libsonnet").conll2003'
    rows = (f'{row}: (import "{CONFIGS}/deptree_ner/paper/{row}.jsonnet") + {corpus}' for row in TABLE_2)
    readers = "{ [row]: rows[row].dataset_reader for row in std.objectFields(rows) }"
    return evaluated(CONFIGS / "deptree_ner/paper.jsonnet", f"local rows = {{ {', '.join(rows)} }}; {readers}")


@pytest.mark.parametrize("row", TABLE_2)
def test_texts_are_parsed_for_what_the_row_reads(row, readers_on_conll2003):
    features, _, syntactic_layers, *_ = TABLE_2[row]
    reads_trees = syntactic_layers > 0 or "dep" in features
    reader = readers_on_conll2003[row]
    assert reader["predicted_trees"] == reads_trees
    assert ("parser" in reader) == (reads_trees or "pos" in features)


def test_settings_of_the_paper():
    config = render("deptree_ner/paper")
    trainer = config["trainer"]
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 16
    assert config["model"]["dropout"] == config["model"]["encoder"]["dropout"] == 0.3
    assert config["dataset_reader"]["coding_scheme"] == "BIOUL"
    assert config["model"]["loss_reduction"] == "sentence"
    assert config["model"]["encoder"]["query"] == "last"
    assert config["random_seed"] == 17
    assert trainer["num_epochs"] == 150
    assert trainer["grad_norm"] == 5.0
    assert trainer["optimizer"]["type"] == "sgd"
    assert trainer["optimizer"]["lr"] == 5e-3
    assert trainer["learning_rate_scheduler"] == {"type": "cosine", "t_initial": 10, "t_mul": 2}


def test_learning_rate_restarts_after_epochs_10_30_70_and_150():
    trainer = load("deptree_ner/paper")["trainer"]
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=trainer["optimizer"]["lr"])
    scheduler = LearningRateScheduler.from_params(trainer["learning_rate_scheduler"], optimizer=optimizer)
    rates = [optimizer.param_groups[0]["lr"]]
    for _ in range(trainer["num_epochs"]):
        scheduler.step()
        rates.append(optimizer.param_groups[0]["lr"])
    assert [epoch for epoch, rate in enumerate(rates) if rate == 5e-3] == [0, 10, 30, 70, 150]
    assert [epoch + 1 for epoch in range(150) if rates[epoch] < rates[epoch + 1]] == [10, 30, 70, 150]


@pytest.mark.parametrize("name, word_size", [("deptree_ner", 64), ("deptree_ner/paper", 256)])
def test_features_have_a_quarter_of_the_word_size_and_xavier_weights(name, word_size, few_sentences, tmp_path):
    embedder = build(load(name), few_sentences, tmp_path).model.text_field_embedder
    for feature in ("pos", "dep"):
        weight = getattr(embedder, f"token_embedder_{feature}").weight
        assert weight.shape[1] == word_size // 4
        bound = math.sqrt(6 / sum(weight.shape))
        assert 0.95 * bound < weight.abs().max() <= bound
    assert embedder.get_output_dim() == word_size + 2 * (word_size // 4)


@pytest.mark.parametrize(
    "name", ["deptree_ner", "deptree_ner/paper", "deptree_ner/paper/blstm_word", "deptree_ner/gum/full"]
)
def test_weight_decay_is_for_the_parameters_of_extractors_and_attentions_alone(name, few_sentences, tmp_path):
    training = build(load(name), few_sentences, tmp_path)
    decayed, others = training.trainer.optimizer.param_groups
    assert (decayed["weight_decay"], others["weight_decay"]) == (2e-5, 0)
    encoder = training.model.encoder
    norms = [module for module in encoder.modules() if isinstance(module, torch.nn.LayerNorm)]
    normalisation = {parameter for norm in norms for parameter in norm.parameters()}
    assert set(decayed["params"]) == set(encoder.parameters()) - normalisation


def compose(word_vectors, folder, optimizer="adam"):
    """A configuration over the shared ones with the word vectors of a library, in jsonnet."""
    path = folder / "config.jsonnet"
    path.write_text(
        f"""
        (import '{CONFIGS}/deptree_ner/base.libsonnet') + {word_vectors} {{
          corpus:: {{}},
          trainer: {{ optimizer: {{ type: '{optimizer}', parameter_groups: $.regularised }} }},
        }}
        """
    )
    return Params.from_file(path)


def test_trains_with_a_transformer(few_sentences, tmp_path):
    params = compose(
        f"(import '{CONFIGS}/lib/words.libsonnet') {{ words:: 'transformer', transformer_size:: 384 }}", tmp_path
    )
    training = build(params, few_sentences, tmp_path / "output")
    assert training.model.text_field_embedder.get_output_dim() == 384 + 2 * 96
    assert_trains_one_step(training)


@pytest.mark.parametrize("lib, optimizer", [("fixed_vectors", "adam"), ("tuned_vectors", "dense_sparse_adam")])
def test_trains_with_word_vectors_from_a_file(lib, optimizer, few_sentences, tmp_path):
    params = compose(f"(import '{CONFIGS}/lib/{lib}.libsonnet') {{ word_min_count:: 2 }}", tmp_path, optimizer)
    training = build(params, few_sentences, tmp_path / "output")
    model = training.model
    embedding = model.text_field_embedder.token_embedder_tokens
    # Words of the file, whether they are in the data or not.
    for word in ("lived", "unheard"):
        vector = embedding(torch.tensor([model.vocab.get_token_index(word)]))
        assert vector.tolist() == [[VECTORS[word]] * 100]
    # Of the words that it lacks, one that comes twice and one that comes once.
    tokens = model.vocab.get_token_to_index_vocabulary("tokens")
    assert "mara" in tokens
    assert "road" not in tokens
    assert isinstance(embedding, FixedEmbedding) == (lib == "fixed_vectors")
    assert_trains_one_step(training)
    if lib == "tuned_vectors":
        assert embedding.weight.grad.is_sparse

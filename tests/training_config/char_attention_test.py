"""The configurations of the character-attention model have the settings of their rows."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Token, Vocabulary
from helpers.configurations import CONFIGS, build, load, names, render, stems
from helpers.once import once
from helpers.paths import REAL_DATA
from helpers.tiny_pretrained import VECTORS

from nerzoo.configuration.check import read_configuration
from nerzoo.modules.token_embedders.embedding import FixedEmbedding

# The task of each corpus and the measure that picks the epoch.
CORPORA = {
    "chunking": ("chunking", "+f1"),
    "pos": ("pos", "+accuracy"),
    "error_detection": ("error_detection", "+f0.5"),
    "bc2gm": ("ner", "+f1"),
    "chemdner": ("ner", "+f1"),
    "jnlpba": ("ner", "+f1"),
    "genia_pos": ("pos", "+accuracy"),
}
COLUMNS = {"": "attention", "_concat": "concat", "_word": "word"}
# The task of each leaf, its combination and the measure that picks the epoch.
CHAR_ATTENTION = {
    "char_attention/paper": ("ner", "attention", "+f1"),
    "char_attention/paper/word": ("ner", "word", "+f1"),
    "char_attention/paper/concat": ("ner", "concat", "+f1"),
} | {
    f"char_attention/paper/{corpus}{ending}": (task, combination, metric)
    for corpus, (task, metric) in CORPORA.items()
    for ending, combination in COLUMNS.items()
}
BIOMEDICAL = ("bc2gm", "chemdner", "jnlpba", "genia")
GOOGLE_NEWS_VECTOR_SIZE = 300


def test_eight_corpora_and_three_columns_are_leaves():
    assert {"char_attention/paper", *names("char_attention/paper/*")} == set(CHAR_ATTENTION)
    assert len(CHAR_ATTENTION) == 8 * 3


@pytest.mark.parametrize("name", CHAR_ATTENTION)
def test_settings_of_the_paper_on_characters(name):
    task, combination, metric = CHAR_ATTENTION[name]
    config = render(name)
    model, trainer = config["model"], config["trainer"]
    words = model["text_field_embedder"]["token_embedders"]["words"]
    assert words["combination"] == combination
    size = 200 if name.split("/")[-1].startswith(BIOMEDICAL) else 300
    assert words["word_embedding"]["embedding_dim"] == size
    assert words["auxiliary_weight"] == 1.0
    assert words["character_encoder"]["embedding"]["embedding_dim"] == 50
    assert words["character_encoder"]["encoder"]["hidden_size"] == model["encoder"]["hidden_size"] == 200
    assert model["encoder"]["input_size"] == (2 * size if combination == "concat" else size)
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


COMBINATIONS = ["attention", "concat", "word"]


@pytest.fixture(scope="module")
def columns():
    """Configurations by combination and name. Jsonnet reads what they share once, when it renders them together."""

    def write(path):
        columns = ""
        for combination in COMBINATIONS:
            for name in ("char_attention", *CHAR_ATTENTION):
                config = f"(import '{CONFIGS}/{name}.jsonnet') {{ combination:: '{combination}' }}"
                columns += f"'{combination} {name}': {config}, "
        path.with_suffix(".jsonnet").write_text(f"{{{columns}}}")
        path.write_text(json.dumps(Params.from_file(path.with_suffix(".jsonnet")).as_dict(quiet=True)))
        return path

    return json.loads(once("columns", write).read_text())


@pytest.mark.parametrize("combination", COMBINATIONS)
@pytest.mark.parametrize("name", ["char_attention", *CHAR_ATTENTION])
def test_the_columns_of_the_table_are_one_parameter(name, combination, columns):
    expected, found = render(name), columns[f"{combination} {name}"]
    words = expected["model"]["text_field_embedder"]["token_embedders"]["words"]
    words["combination"] = combination
    size = words["word_embedding"]["embedding_dim"]
    expected["model"]["encoder"]["input_size"] = 2 * size if combination == "concat" else size
    assert found == expected


@pytest.mark.parametrize("name", ["char_attention", "char_attention/wnut17/attention"])
def test_there_may_be_no_auxiliary_loss(name, few_sentences, tmp_path):
    path = tmp_path / "config.jsonnet"
    path.write_text(f"(import '{CONFIGS}/{name}.jsonnet') {{ auxiliary_weight:: 0.0 }}")
    for params, expected in ((load(name), True), (Params.from_file(path), False)):
        training = build(params, few_sentences, tmp_path / str(expected))
        model = training.model.train()
        model(**next(iter(training.trainer.data_loader)))
        assert ("auxiliary_loss" in model.get_metrics()) == expected


# What columns of the table on free English data differ in.
COLUMNS_ON_FREE_DATA = {
    "attention": {},
    "concat": {"combination": "concat"},
    "word": {"combination": "word"},
    "no_auxiliary": {"auxiliary_weight": 0},
}


ENGLISH = ["bc2gm", "genia", "ud_english_ewt", "wnut17"]
# Corpora with the three columns of the paper's table alone, and the types of their names.
THREE_COLUMNS = {
    "anatem": {"Anatomy"},
    "bc5cdr": {"Chemical", "Disease"},
    "craft": {"CHEBI", "CL", "GGP", "GO", "SO", "Taxon"},
    "ncbi_disease": {"Disease"},
}


@pytest.mark.parametrize(
    "corpus, column",
    [
        (corpus, column)
        for column in COLUMNS_ON_FREE_DATA
        for corpus in [*ENGLISH, *THREE_COLUMNS]
        if corpus in ENGLISH or column in COLUMNS.values()
    ],
)
def test_columns_on_free_data_differ_in_one_thing(corpus, column):
    config, attention = render(f"char_attention/{corpus}/{column}"), render(f"char_attention/{corpus}/attention")
    attention["model"]["text_field_embedder"]["token_embedders"]["words"] |= COLUMNS_ON_FREE_DATA[column]
    attention["model"]["encoder"]["input_size"] = 200 if column == "concat" else 100
    assert config == attention


@pytest.mark.parametrize("corpus", THREE_COLUMNS)
def test_biomedical_corpora_have_three_columns_and_the_settings_of_bc2gm(corpus):
    assert stems(f"char_attention/{corpus}") == set(COLUMNS.values())
    config, genes = (Params(render(f"char_attention/{name}/attention")).as_flat_dict() for name in (corpus, "bc2gm"))
    differences = {place for place in config.keys() | genes.keys() if config.get(place) != genes.get(place)}
    data = {"train_data_path", "validation_data_path", "trainer.num_epochs"}
    longest = {"dataset_reader.token_indexers.words.max_word_length"} if corpus == "anatem" else set()
    assert differences == data | longest


@pytest.mark.skipif(not REAL_DATA.exists(), reason="needs the corpora in ../shared/data")
@pytest.mark.parametrize("corpus", THREE_COLUMNS)
def test_biomedical_corpora_are_read_with_all_types_and_long_words(corpus, monkeypatch):
    monkeypatch.setenv("DATA", str(REAL_DATA))
    config = load(f"char_attention/{corpus}/word")
    path = config["train_data_path"].replace("train", "{}")
    reader = DatasetReader.from_params(config["dataset_reader"])
    sentences = [sentence for part in ("dev", "test") for sentence in reader.read(path.format(part))]
    labels = {label for sentence in sentences for label in sentence.fields["tags"].labels}
    assert labels == {"O", *(f"{mark}-{name}" for name in THREE_COLUMNS[corpus] for mark in "BI")}
    # Counting reads the characters of all words.
    Vocabulary.from_instances(sentences)


@pytest.mark.parametrize("corpus", [*ENGLISH, *THREE_COLUMNS])
def test_free_english_data_has_the_papers_sizes(corpus):
    config, paper = (render(f"char_attention/{name}") for name in (f"{corpus}/attention", "paper"))

    def sizes(config):
        words = config["model"]["text_field_embedder"]["token_embedders"]["words"]
        return (words["character_encoder"], config["model"]["encoder"]["hidden_size"], config["model"]["head"])

    paper["model"]["head"].pop("distribution"), config["model"]["head"].pop("distribution")
    assert sizes(config) == sizes(paper)


def test_free_english_data_has_the_vectors_of_a_file_or_by_options_learns_them(few_sentences, tmp_path, monkeypatch):
    training = build(load("char_attention/wnut17/attention"), few_sentences, tmp_path / "fixed")
    model = training.model.eval()
    embedding = model.text_field_embedder.token_embedder_words.word_embedding
    assert isinstance(embedding, FixedEmbedding)
    # A word of the file that the data does not have, in any case.
    indexer = training.trainer.data_loader.reader._token_indexers["words"]
    indexed = indexer.tokens_to_indices([Token("Unheard"), Token("Zzyzx")], model.vocab)
    assert indexed["known"] == [True, False]
    assert embedding(torch.tensor(indexed["words"][:1])).tolist() == [[VECTORS["unheard"]] * 100]
    monkeypatch.setenv("WORD_VECTORS", "")
    with pytest.raises(ConfigurationError, match="WORD_VECTORS is empty; expected a file of word vectors"):
        load("char_attention/wnut17/attention")
    options = {"word_vectors": None, "fixed_words": False}
    learned = read_configuration("char_attention/wnut17/attention", options=options)
    model = build(learned, few_sentences, tmp_path / "learned").model
    embedding = model.text_field_embedder.token_embedder_words.word_embedding
    assert embedding.weight.requires_grad and embedding.get_output_dim() == 100

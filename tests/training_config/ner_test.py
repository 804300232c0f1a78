"""The tagger to start from, with and without a file of word vectors, and the columns that it reads."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.configurations import assert_trains_one_step, build, load, render
from helpers.paths import CONFIGS, FIXTURES
from helpers.tiny_pretrained import VECTORS

import nerzoo  # noqa: F401
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import layer

FOLDER = FIXTURES / "people_and_places"


@pytest.fixture
def without_vectors(monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", "")


def embedder(config):
    return config["model"]["text_field_embedder"]["token_embedders"]["tokens"]


def test_learns_its_word_vectors_without_a_file(without_vectors, few_sentences, tmp_path):
    config = render("ner")
    assert embedder(config) == {"type": "embedding", "embedding_dim": 100}
    assert config["vocabulary"] == {"min_count": {"tokens": 4}}
    assert_trains_one_step(build(load("ner"), few_sentences, tmp_path))


def test_reads_word_vectors_where_there_is_a_file(few_sentences, pretrained, tmp_path, monkeypatch):
    monkeypatch.setenv("WORD_VECTORS", str(pretrained / "vectors_100.txt"))
    model = build(load("ner"), few_sentences, tmp_path).model
    tokens = model.text_field_embedder.token_embedder_tokens
    # Words of the file, whether the data has them or not.
    for word in ("lived", "unheard"):
        index = model.vocab.get_token_index(word)
        assert tokens(torch.tensor([index])).tolist() == [[VECTORS[word]] * 100]


def test_has_dropout_on_embedded_and_on_encoded_words():
    model = render("ner")["model"]
    assert model["input_dropout"]["p"] == model["dropout"] == 0.5


def test_sizes_follow_from_the_fields_at_the_top(tmp_path, few_sentences, without_vectors):
    path = tmp_path / "config.jsonnet"
    path.write_text(
        f"(import '{CONFIGS}/ner.jsonnet') {{ word_vector_size:: 7, character_filters:: 5, hidden_size:: 3 }}"
    )
    assert_trains_one_step(build(Params.from_file(path), few_sentences, tmp_path / "output"))


def test_configurations_that_need_word_vectors_say_so_where_the_variable_is_empty(without_vectors):
    for name in ("memory_ner/gum/hops_1", "fofe_ner/gum/nested", "deptree_ner/small/word_vectors"):
        with pytest.raises(ConfigurationError, match="WORD_VECTORS is empty; expected a file of word vectors"):
            render(name)


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_the_columns_are_the_outermost_proper_names_of_the_treebank(part):
    treebank = Corpus.from_params(Params({"type": "conllu", "proper_names": True})).read(FOLDER / f"{part}.conllu")
    columns = Corpus.from_params(Params({"type": "columns"})).read(FOLDER / f"{part}.txt")
    for expected, found in zip(treebank, columns, strict=True):
        sentences = [(sentence.words, layer(sentence.entities, "outermost")) for sentence in expected.sentences]
        assert [(sentence.words, list(sentence.entities)) for sentence in found.sentences] == sentences

import json
from dataclasses import replace

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.runs.bench_data import CorpusFacts, as_folds, as_parts, corpus_facts, in_order, read_documents, write_data
from nerzoo.text.annotation import Document, Entity, Sentence

TREEBANK = FIXTURES / "people_and_places"


def words(documents):
    return [sentence.words for document in documents for sentence in document.sentences]


def test_parts_are_what_the_files_have(tmp_path):
    corpus = ConlluCorpus()
    parts = [read_documents(str(TREEBANK / f"{part}.conllu"), corpus) for part in ("train", "dev", "test")]
    write_data(tmp_path / "data", as_parts(*parts))
    for part, documents in zip(("train", "dev", "test"), parts, strict=True):
        found = list(JsonlCorpus().read(tmp_path / f"data/0/{part}.jsonl"))
        assert words(found) == words(documents) and [each.id for each in found] == [each.id for each in documents]
        pairs = zip(found[0].sentences, documents[0].sentences, strict=True)
        assert all((one.heads, one.entities) == (other.heads, other.entities) for one, other in pairs)
    assert words(JsonlCorpus().read(tmp_path / "data/gold.jsonl")) == words(parts[2])


@pytest.mark.parametrize("path", ["dev.conllu", "train.conllu"])
def test_folds_are_of_documents_and_test_each_sentence_once(path, tmp_path):
    documents = read_documents(str(TREEBANK / path), ConlluCorpus())
    if path == "dev.conllu":
        # As a file that does not separate them.
        documents = [type(documents[0])(None, documents[0].sentences)]
    data = as_folds(documents, 3, seed=1)
    assert len(data.splits) == 3
    for split in data.splits:
        of_parts = [
            set(map(id, (sentence for document in split[part] for sentence in document.sentences))) for part in split
        ]
        assert sum(map(len, of_parts)) == len(set().union(*of_parts)) == len(words(documents))
        ids = [{document.id for document in split[part]} - {None} for part in split]
        assert sum(map(len, ids)) == len(set().union(*ids))
    assert data.splits[0]["dev"] == data.splits[1]["test"]
    write_data(tmp_path / "data", data)
    assert words(JsonlCorpus().read(tmp_path / "data/gold.jsonl")) == words(documents)
    tested = [words(JsonlCorpus().read(tmp_path / f"data/{number}/test.jsonl")) for number in range(3)]
    lines = [json.dumps(sentence) for of_fold in tested for sentence in of_fold]
    order = json.loads((tmp_path / "data/order.json").read_text())
    assert list(map(json.loads, in_order(order, lines))) == words(documents)


def test_two_folds_are_too_few():
    with pytest.raises(ConfigurationError, match="found 2 folds, expected at least 3"):
        as_folds([], 2, seed=1)


def test_nested_entities_are_kept_or_one_layer_of_them():
    path = str(TREEBANK / "test.conllu")
    counts = {
        layer: sum(len(sentence.entities) for document in documents for sentence in document.sentences)
        for layer in (None, "outermost", "innermost")
        for documents in [read_documents(path, ConlluCorpus(proper_names=True), layer)]
    }
    assert counts[None] == 67 and counts["outermost"] == 58 and counts["innermost"] < 67


def test_words_with_labels_of_their_own(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("a X\nb Y\n")
    with pytest.raises(ConfigurationError, match="labels.txt.*found a label for each word, expected entities"):
        read_documents(str(path), ColumnsCorpus(coding_scheme=None))


def test_trees_of_a_parser(spacy_pipeline, tmp_path):
    from nerzoo.data.spacy_parser import SpacyParser

    documents = read_documents(str(TREEBANK / "dev.txt"), ColumnsCorpus(), parser=SpacyParser(str(spacy_pipeline)))
    assert all(sentence.heads and sentence.pos for document in documents for sentence in document.sentences)


SYNTAX = {"pos": ["X"] * 3, "heads": [0, 1, 1], "dep_labels": ["root", "dep", "dep"]}


def sentence(*entities, **more):
    return Sentence(["a", "b", "c"], entities=[Entity(*entity) for entity in entities], **more)


def test_flat_sentences():
    found = corpus_facts([Document(None, [sentence((0, 2, "B")), sentence((2, 3, "A"))])])
    assert found == CorpusFacts(0, 2, 6, 2, ["A", "B"], False, 1, 2)


def test_documents_trees_and_nested_entities():
    documents = [
        Document("1", [sentence((0, 3, "A"), (0, 2, "A"), (1, 2, "A"), **SYNTAX)]),
        Document("2", [sentence(**SYNTAX)]),
    ]
    found = corpus_facts(documents)
    assert (found.num_documents, found.has_trees, found.depth, found.max_length) == (2, True, 3, 3)
    documents[1].sentences.append(replace(sentence(**SYNTAX), pos=None))
    assert not corpus_facts(documents).has_trees


def test_a_rare_length_is_left_out():
    short, long = sentence((0, 1, "A")), sentence((0, 3, "A"))
    assert corpus_facts([Document(None, [short] * 199 + [long])]).max_length == 1
    assert corpus_facts([Document(None, [short] * 97 + [long] * 2)]).max_length == 3


def test_without_entities():
    found = corpus_facts([Document(None, [sentence()])])
    assert (found.depth, found.max_length, found.types) == (0, 1, [])

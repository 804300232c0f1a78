from dataclasses import replace

from nerzoo.runs.budget import CorpusFacts, corpus_facts
from nerzoo.text.annotation import Document, Entity, Sentence

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

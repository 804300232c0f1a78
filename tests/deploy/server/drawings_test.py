from xml.etree import ElementTree

from helpers.drawings import SENTENCE, THREAD, WEIGHTS

from nerzoo.deploy.server.batcher import MAX_WORDS, drawings


def test_all_but_entities_is_drawn():
    (arcs, matrix) = drawings({**SENTENCE, "attention": WEIGHTS})
    assert arcs["title"].startswith("Attention of") and matrix["title"].startswith("Attention, row")
    for each in (arcs, matrix):
        assert ElementTree.fromstring(each["svg"]).tag.endswith("svg") and each["description"]


def test_sentences_of_a_document_are_drawn():
    part = {**SENTENCE, "attention": WEIGHTS}
    assert len(drawings({"sentences": [part, {"words": []}, part]})) == 4


def test_threads_are_drawn():
    assert drawings(THREAD)[0]["title"].startswith("Links")


def test_long_sentences_and_those_without_words_are_not():
    words = ["a"] * (MAX_WORDS + 1)
    assert drawings({"words": words, "gate": [0.5] * len(words)}) == []
    assert drawings({"words": []}) == []
    assert drawings({"posts": [{}] * (MAX_WORDS + 1)}) == []


def test_what_is_no_sentence_is_not():
    assert drawings({"perplexity": 3.5}) == []

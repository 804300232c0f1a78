import pytest
from helpers.evaluated import entities, evaluated

from nerzoo.formats.predictions import Prediction
from nerzoo.reports.training_data import TrainingData

WORDS = ["one", "two", "three", "four", "five"]


@pytest.fixture
def training():
    sentences = [
        Prediction("train:1", WORDS, gold=entities("0-1 A, 2-4 B")),
        Prediction("train:2", WORDS, gold=entities("0-1 C")),
        Prediction("train:3", [*WORDS[:4], "six"], gold=[]),
    ]
    return TrainingData(sentences)


def test_the_most_similar_sentence(training):
    assert training.most_similar(WORDS) == ("train:1", 1.0)
    # Other words, as they are written, and the same in lower case.
    assert training.most_similar(["One", *WORDS[1:]]) == ("train:1", 1.0)
    assert training.repetition(["One", *WORDS[1:]]) == "near-duplicate"
    # Five words of six; four of six.
    assert training.most_similar([*WORDS, "seven"]) == ("train:1", pytest.approx(5 / 6))
    assert training.most_similar([*WORDS[1:], "seven"]) is None
    assert training.repetition([*WORDS[1:], "seven"]) == "new"


def test_facts(training):
    sentences = [
        evaluated("0-1 A", "", words=WORDS),
        evaluated("", "", words=["one", "seven", "seven"]),
        evaluated("", "", words=[*WORDS, "six"]),
    ]
    facts = training.facts(sentences)
    assert (facts["num_sentences"], facts["num_mentions"], facts["num_words"]) == (3, 2, 15)
    assert facts["out_of_vocabulary"] == {"tokens": 2 / 14, "words": 1 / 7}
    assert (facts["num_duplicates"], facts["num_near_duplicates"]) == (1, 1)
    duplicate, near = facts["repeated_sentences"]
    assert duplicate == {
        "index": 0,
        "location": "file:1",
        "words": WORDS,
        "num_entities": 1,
        "training_location": "train:1",
        "similarity": 1.0,
        "kind": "duplicate",
    }
    assert (near["index"], near["training_location"], near["kind"]) == (2, "train:1", "near-duplicate")
    assert near["similarity"] == pytest.approx(5 / 6)

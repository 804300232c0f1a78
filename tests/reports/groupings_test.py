import pytest
from allennlp.common.checks import ConfigurationError
from helpers.evaluated import entities, evaluated

from nerzoo.formats.jsonl import Prediction
from nerzoo.reports.groupings import Grouping, TrainingData, by_frequency, group_names, groupings
from nerzoo.text.matching import DEPTHS


def counts(sentences, name, training=None):
    """The numbers of gold entities of the groups of a division."""
    division = {each.name: each for each in groupings(sentences, training)}[name]
    return {group["name"]: group["gold"] for group in division.scores(sentences) if group["gold"]}


def names(*args):
    return [division.name for division in groupings(*args)]


def test_lengths():
    sentences = [evaluated("0-1 A, 2-4 A, 4-10 A", ""), evaluated("0-8 A", "", words=tuple("abcdefgh"))]
    assert counts(sentences, "length") == {"1": 1, "2": 1, "5-6": 1, "7-": 1}
    assert counts(sentences, "sentence_length") == {"6-10": 4}


def test_depth_where_there_is_any():
    flat, nested = evaluated("0-4 A", "1-2 A"), evaluated("0-4 A, 1-3 B, 1-2 C", "1-2 C")
    assert "depth" not in names([flat], None)
    assert counts([flat, nested], "depth") == {"0": 2, "1": 1, "2": 1}
    (depth,) = [each for each in groupings([nested], None) if each.name == "depth"]
    scores = dict(zip(DEPTHS, depth.scores([nested]), strict=True))
    # Predicted alone, it is inside nothing.
    assert (scores["0"]["predicted"], scores["0"]["correct"], scores["2"]["recall"]) == (1, 1, 1.0)


def test_positions_where_there_are_documents():
    first = [evaluated("0-1 A", "", document_id="x", position=position) for position in range(1, 8)]
    assert "position" not in names(first, None)
    second = evaluated("0-1 A", "", document_id="y", position=1)
    assert counts([*first, second], "position") == {"1": 2, "2-5": 4, "6-20": 2}
    assert "position" not in names([*first, second, evaluated("", "")], None)


def test_groups_by_training_data():
    words = ["Mara", "met", "Jo", "in", "Calder", "Bay"]
    training = TrainingData(
        [
            Prediction("train:1", words, gold=entities("0-1 PER, 2-3 PER, 4-6 LOC")),
            Prediction("train:2", ["Jo"], gold=entities("0-1 LOC")),
        ]
    )
    sentences = [
        evaluated("0-1 PER, 2-3 PER, 4-6 LOC", "", words=words),
        evaluated("0-1 LOC, 2-3 PER", "", words=["Mara", "saw", "Ann"]),
        evaluated("5-6 PER", "", words=["Mara", "met", "Jo", "in", "Calder", "calder", "bay"]),
    ]
    assert names(sentences, training)[-4:] == ["familiarity", "vocabulary", "frequency", "repetition"]
    # Mara is no place in training, and Jo is both.
    assert counts(sentences, "familiarity", training) == {"seen": 2, "ambiguous": 2, "unseen": 2}
    assert counts(sentences, "vocabulary", training) == {"all known": 4, "some unknown": 2}
    assert counts(sentences, "frequency", training) == {"0": 2, "1": 3, "2-4": 1}
    assert counts(sentences, "repetition", training) == {"duplicate": 3, "near-duplicate": 1, "new": 2}


def test_groups_are_scored_by_themselves():
    grouping = Grouping("length", "length", ("1", "2"), lambda _, entity, __: str(entity.end - entity.start))
    one, two = grouping.scores([evaluated("0-1 A, 2-4 A, 5-7 B", "0-1 A, 2-4 A, 5-6 B, 8-9 C")])
    counts = {"gold": 1, "predicted": 3, "correct": 1, "correct_of_gold": 1}
    assert one == {"name": "1", **counts, "precision": 1 / 3, "recall": 1.0, "f1": 0.5}
    assert (two["gold"], two["predicted"], two["precision"], two["recall"]) == (2, 1, 1.0, 0.5)


def test_a_correct_entity_may_be_in_two_groups():
    grouping = Grouping("depth", "depth", ("0", "1"), lambda _, __, depth: str(depth))
    outer, inner = grouping.scores([evaluated("0-4 A, 0-1 A, 2-4 A", "0-1 A")])
    assert (outer["gold"], outer["predicted"], outer["correct"], outer["correct_of_gold"]) == (1, 1, 1, 0)
    assert (inner["gold"], inner["correct"], inner["correct_of_gold"], inner["recall"]) == (2, 0, 1, 0.5)


def test_names_of_groups():
    assert group_names([1, 2, 5]) == ["0", "1", "2-4", "5-"]
    assert group_names([3]) == ["0-2", "3-"]
    assert group_names([2, 4], lowest=1) == ["1", "2-3", "4-"]
    for bounds in ([0, 1], [2, 2], [5, 1]):
        with pytest.raises(ConfigurationError, match="found the bounds .*, expected numbers that rise"):
            group_names(bounds)


@pytest.mark.parametrize("frequency", range(12))
def test_each_frequency_is_in_its_group(frequency):
    group = by_frequency({"a": frequency, "often": 50}, [1, 2, 5, 10])
    expected = next(
        name
        for name, members in {"0": [0], "1": [1], "2-4": [2, 3, 4], "5-9": range(5, 10), "10-": range(10, 99)}.items()
        if frequency in members
    )
    assert group(["a"]) == group(["often", "a"]) == expected


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

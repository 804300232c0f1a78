from helpers.evaluated import entities, evaluated

from nerzoo.formats.predictions import Prediction
from nerzoo.reports.groupings import groupings
from nerzoo.reports.training_data import TrainingData
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

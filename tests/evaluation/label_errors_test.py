import json

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.label_errors import find_label_errors, has_gold_probabilities
from nerzoo.formats.jsonl import read_predictions
from nerzoo.text.annotation import Entity

WORDS = ["Mara", "Quill", "of", "New", "Varda", "met", "Ann", "Lee"]


def entity(start, end, label, probability):
    return {"start": start, "end": end, "label": label, "probability": probability}


def write(path, *sentences):
    path.write_text("".join(json.dumps(sentence) + "\n" for sentence in sentences))
    return str(path)


def prediction(gold, predicted, words=WORDS, **rest):
    return {
        "words": words,
        "gold_entities": [entity(*values) for values in gold],
        "entities": [entity(*values) for values in predicted],
        **rest,
    }


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ([[], [entity(0, 2, "PER", 0.5)]], True),
        ([[], [{"start": 0, "end": 2, "label": "PER"}]], False),
        ([[], None], False),
    ],
)
def test_files_that_hold_the_probabilities_of_gold_entities(gold, expected, tmp_path):
    sentences = ({"words": WORDS, "entities": [], "gold_entities": entities} for entities in gold)
    path = write(tmp_path / "predictions.jsonl", *sentences)
    assert has_gold_probabilities(list(read_predictions(path, "entities"))) == expected


def test_each_kind_of_error_in_the_order_of_belief(tmp_path):
    first = write(
        tmp_path / "first.jsonl",
        prediction([(0, 2, "PER", 0.9)], [(0, 2, "PER", 0.9), (3, 5, "LOC", 0.75)], doc_id="d"),
        prediction([(0, 2, "ORG", 0.125), (6, 8, "PER", 0.5)], [(0, 2, "PER", 0.8)]),
    )
    second = write(
        tmp_path / "second.jsonl",
        {"words": [], "tags": [], "entities": []},
        prediction(
            [(2, 5, "LOC", 0.0625), (7, 8, "PER", 0.9)], [(3, 4, "LOC", 0.5), (4, 5, "ORG", 0.6), (7, 8, "PER", 0.9)]
        ),
    )
    errors = find_label_errors([first, second])
    assert [(error.index, error.kind, error.probability) for error in errors] == [
        (3, "boundary", 0.0625),
        (1, "type", 0.125),
        (0, "missing", 0.25),
        (1, "spurious", 0.5),
    ]
    boundary, wrong_type, missing, spurious = errors
    assert boundary.annotated == Entity(2, 5, "LOC")
    assert boundary.believed == [Entity(3, 4, "LOC"), Entity(4, 5, "ORG")] and boundary.probabilities == [0.5, 0.6]
    assert boundary.location == f"{second}:2" and boundary.document_id is None
    assert wrong_type.believed == [Entity(0, 2, "PER")] and wrong_type.words == WORDS
    assert missing.annotated is None and missing.believed == [Entity(3, 5, "LOC")] and missing.document_id == "d"
    assert (missing.location, missing.words, missing.probabilities) == (f"{first}:1", WORDS, [0.75])
    assert spurious.annotated == Entity(6, 8, "PER") and spurious.believed == []


def test_an_error_as_json(tmp_path):
    gold, predicted = [(0, 2, "PER", 0.25)], [(0, 3, "ORG", 0.5), (3, 5, "LOC", 0.125)]
    path = write(tmp_path / "a.jsonl", prediction(gold, predicted, doc_id="d"), prediction([], predicted[:1]))
    boundary, unnamed, missing = find_label_errors([path])
    assert boundary.to_json() == {
        "index": 0,
        "location": f"{path}:1",
        "doc_id": "d",
        "kind": "boundary",
        "probability": 0.25,
        "annotated": {**entity(0, 2, "PER", 0.25), "text": "Mara Quill"},
        "believed": [{**entity(0, 3, "ORG", 0.5), "text": "Mara Quill of"}],
        "sentence": "Mara Quill of New Varda met Ann Lee",
        "words": WORDS,
    }
    assert "doc_id" not in unnamed.to_json() and unnamed.to_json()["annotated"] is None
    assert missing.to_json()["believed"] == [{**entity(3, 5, "LOC", 0.125), "text": "New Varda"}]


def test_nested_entities_inside_a_right_one_are_missing(tmp_path):
    gold = [(0, 5, "ORG", 0.9)]
    path = write(tmp_path / "nested.jsonl", prediction(gold, [(0, 5, "ORG", 0.9), (3, 5, "LOC", 0.8)]))
    (error,) = find_label_errors([path])
    assert (error.kind, error.believed) == ("missing", [Entity(3, 5, "LOC")])
    assert error.probability == pytest.approx(0.2)


@pytest.mark.parametrize(("gold", "predicted"), [((0, 2), (2, 5)), ((2, 5), (0, 2))])
def test_an_adjacent_entity_is_no_wrong_boundary(gold, predicted, tmp_path):
    sentence = prediction([(*gold, "PER", 0.25)], [(*predicted, "PER", 0.5)])
    spurious, missing = find_label_errors([write(tmp_path / "adjacent.jsonl", sentence)])
    assert (spurious.kind, spurious.annotated, spurious.believed) == ("spurious", Entity(*gold, "PER"), [])
    assert (missing.kind, missing.annotated, missing.believed) == ("missing", None, [Entity(*predicted, "PER")])


def test_what_agrees_is_no_error(tmp_path):
    path = write(tmp_path / "same.jsonl", prediction([(0, 2, "PER", 0.1)], [(0, 2, "PER", 0.1)]), prediction([], []))
    assert find_label_errors([path]) == []


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ({"words": WORDS, "entities": []}, r"x.jsonl:1: found no gold_entities, expected predictions with gold_ent"),
        ({"words": WORDS, "gold_entities": []}, r"x.jsonl:1: found no entities, expected predictions with entities"),
        (
            {"words": WORDS, "entities": [], "gold_entities": [{"start": 0, "end": 1, "label": "a"}]},
            "found gold_entities without probabilities, expected a probability of each",
        ),
    ],
)
def test_bad_predictions(tmp_path, sentence, message):
    with pytest.raises(ConfigurationError, match=message):
        find_label_errors([write(tmp_path / "x.jsonl", sentence)])

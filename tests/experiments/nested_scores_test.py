import json

import pytest
from allennlp.common.checks import ConfigurationError

from experiments.nested_scores import read, scores
from nerzoo.text.annotation import Entity, Sentence

SENTENCES = [
    Sentence(["the", "bank", "of", "Varda", "left"], entities=[Entity(0, 4, "org"), Entity(3, 4, "place")]),
    Sentence(["Ann"], entities=[Entity(0, 1, "person")]),
]


def write(path, predictions):
    path.write_text("".join(json.dumps(prediction) + "\n" for prediction in predictions))
    return path


def test_flat_predictions_have_no_recall_inside_others(tmp_path):
    found = [{"start": 0, "end": 4, "label": "org"}, {"start": 0, "end": 1, "label": "person"}]
    predictions = [
        {"words": sentence.words, "entities": [entity]} for sentence, entity in zip(SENTENCES, found, strict=True)
    ]
    measured = scores(read(write(tmp_path / "predictions.jsonl", predictions), SENTENCES), SENTENCES)
    assert measured["precision"] == 1
    assert measured["recall"] == pytest.approx(2 / 3)
    assert measured["recall-depth-0"] == 1
    assert measured["recall-depth-1"] == 0


def test_predictions_of_another_file_are_an_error(tmp_path):
    predictions = write(tmp_path / "predictions.jsonl", [{"words": ["Ann"], "entities": []}])
    with pytest.raises(ConfigurationError, match="found other sentences"):
        read(predictions, SENTENCES)

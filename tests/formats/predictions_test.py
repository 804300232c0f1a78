import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.drawings import THREAD, prediction

from nerzoo.formats.jsonl import JsonlCorpus, read_corpus, read_predictions
from nerzoo.text.annotation import Entity

SENTENCE = {
    "words": ["Mara", "left"],
    "entities": [{"start": 0, "end": 1, "label": "PER", "probability": 0.5}],
    "doc_id": "d",
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "sentences.jsonl"
    path.write_text(json.dumps(SENTENCE) + "\n")
    return str(path)


def test_a_corpus_keeps_probabilities_and_documents(path):
    (sentence,) = read_corpus(path, JsonlCorpus())
    assert (sentence.words, sentence.predicted) == (["Mara", "left"], [Entity(0, 1, "PER")])
    assert (sentence.probabilities, sentence.document_id, sentence.has_gold) == ([0.5], "d", False)


def test_predictions_go_on_after_a_blank_line(path):
    with open(path, "a") as file:
        file.write("\n" + json.dumps({**SENTENCE, "doc_id": 7}) + "\n")
    assert [sentence.document_id for sentence in read_predictions(path, "entities")] == ["d", "7"]


def test_gold_annotation_and_its_probabilities(tmp_path):
    lines = [
        {**SENTENCE, "tags": ["B-PER", "O"], "gold_tags": ["O", "B-LOC"]},
        {**SENTENCE, "tags": ["O", "O"], "gold_tags": ["O", "O"], "gold_entities": SENTENCE["entities"]},
    ]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    by_tags, by_entities = read_predictions(str(tmp_path / "p.jsonl"), "entities")
    assert (list(by_tags.gold), by_tags.gold_probabilities) == ([Entity(1, 2, "LOC")], None)
    assert (list(by_entities.gold), by_entities.gold_probabilities) == ([Entity(0, 1, "PER")], [0.5])
    of_tags = list(read_predictions(str(tmp_path / "p.jsonl"), "tags"))
    assert [sentence.predicted for sentence in of_tags] == [["B-PER", "O"], ["O", "O"]]
    assert [sentence.gold for sentence in of_tags] == [["O", "B-LOC"], ["O", "O"]]


def test_words_before(tmp_path):
    documents = ["d", "d", None, None, "d"]
    prediction(tmp_path / "p.jsonl", *({"doc_id": id, "words": [str(n)]} for n, id in enumerate(documents)))
    before = [found.before for found in read_predictions(str(tmp_path / "p.jsonl"))]
    assert before == [[], [["0"]], [], [["2"]], []]


def test_words_before_are_known_when_all_predictions_are_read(path):
    with open(path, "a") as file:
        file.write(json.dumps(SENTENCE) + "\n")
    assert [found.before for found in list(read_predictions(path))] == [[], [SENTENCE["words"]]]


def test_reading_one_kind_of_annotation_keeps_no_earlier_words(path):
    with open(path, "a") as file:
        file.write(json.dumps(SENTENCE) + "\n")
    found = list(read_predictions(path, "entities"))
    assert [(each.position, each.before, each.document) for each in found] == [(1, (), ()), (2, (), ())]


def test_threads_and_sentences_without_words(tmp_path):
    assert prediction(tmp_path / "p.jsonl", THREAD).words == []
    assert list(prediction(tmp_path / "p.jsonl", THREAD).predicted) == []
    assert prediction(tmp_path / "p.jsonl", {"words": [], "tags": []}).words == []


def test_blank_lines_are_no_sentences(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"words": ["a"]}\n\n{"words": ["b"]}\n')
    assert [found.words for found in read_predictions(str(tmp_path / "p.jsonl"))] == [["a"], ["b"]]


@pytest.mark.parametrize("sentences", ["5", "[5]", '{"words": ["a"]}'])
def test_sentences_of_a_line_are_objects(tmp_path, sentences):
    (tmp_path / "p.jsonl").write_text(f'{{"sentences": {sentences}}}\n')
    with pytest.raises(ConfigurationError, match="p.jsonl:1: found the sentences .*, expected a list of JSON objects"):
        list(read_predictions(str(tmp_path / "p.jsonl")))

import json

import pytest

from nerzoo.evaluation.predictions import read_corpus, read_gold, read_predictions
from nerzoo.formats.jsonl import JsonlCorpus
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
    assert (sentence.words, sentence.annotation) == (["Mara", "left"], [Entity(0, 1, "PER")])
    assert (sentence.probabilities, sentence.document_id, sentence.gold) == ([0.5], "d", None)


def test_predictions_go_on_after_a_blank_line(path):
    with open(path, "a") as file:
        file.write("\n" + json.dumps({**SENTENCE, "doc_id": 7}) + "\n")
    assert [sentence.document_id for sentence in read_predictions(path, "entities")] == ["d", "7"]


def test_the_reader_of_validation_data_reads_gold_annotation_of_documents(path, tmp_path):
    corpora = {"validation_dataset_reader": "jsonl", "dataset_reader": "conllu"}
    config = {name: {"type": "tagged_sentences", "corpus": {"type": corpus}} for name, corpus in corpora.items()}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (sentence,) = read_gold(path, str(tmp_path / "config.json"), "entities")
    assert (sentence.annotation, sentence.document_id) == ([Entity(0, 1, "PER")], "d")

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.formats.jsonl import JsonlCorpus, sentence_from_json, sentence_to_json
from nerzoo.text.annotation import Entity, Sentence, entities_to_json
from nerzoo.text.span_levels import ScoredEntity

FIXTURE = FIXTURES / "corpora/sentences.jsonl"


def test_read():
    first, second = JsonlCorpus().read(FIXTURE)
    assert (first.id, second.id) == ("a", "b")
    assert first.sentences == [
        Sentence(
            words=["Anna", "left"],
            pos=["NNP", "VBD"],
            heads=[2, 0],
            dep_labels=["nsubj", "root"],
            entities=[Entity(0, 1, "PER")],
            id=f"{FIXTURE}:1 (sentence a-1)",
            probabilities=[0.9],
        ),
        Sentence(words=["Why", "?"], space_after=[False, True], id=f"{FIXTURE}:2"),
    ]
    assert second.sentences == [Sentence(words=["Stop"], tags=["verb"], id=f"{FIXTURE}:4")]


def test_sentences_without_documents_are_one(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text('{"words": ["a"]}\n{"words": ["b"]}\n')
    (document,) = JsonlCorpus().read(path)
    assert document.id is None
    assert [sentence.words for sentence in document.sentences] == [["a"], ["b"]]


def test_the_prediction_for_a_text_is_a_document(tmp_path):
    """Their offsets say where spaces are."""
    path = tmp_path / "file.jsonl"
    sentences = [{"words": ["Go", "!"], "offsets": [1, 3]}, {"words": ["No", "!"], "offsets": [5, 8]}]
    path.write_text("".join(json.dumps({"text": text, "sentences": sentences}) + "\n" for text in ("a", "b")))
    documents = list(JsonlCorpus().read(path))
    assert len(documents) == 2
    for document in documents:
        assert [sentence.space_after for sentence in document.sentences] == [[False, True], [True, True]]
        assert [sentence.text for sentence in document.sentences] == ["Go!", "No !"]


def test_the_types_that_were_looked_for_are_kept():
    obj = {"words": ["Anna", "left"], "entities": [], "types": ["PER", "LOC"]}
    sentence = sentence_from_json(obj, "input")
    assert sentence.annotated_types == ["PER", "LOC"]
    assert sentence_to_json(sentence)["types"] == ["PER", "LOC"]
    assert "types" not in sentence_to_json(sentence_from_json({"words": ["Anna"]}, "input"))


def test_what_is_for_training():
    obj = {"words": ["Anna", "left"], "loss_weight": 0.5, "marginals": [{"O": 0.25, "U-PER": 0.75}, {"O": 1.0}]}
    sentence = sentence_from_json(obj, "input")
    assert (sentence.loss_weight, sentence.marginals) == (0.5, obj["marginals"])
    assert sentence_to_json(sentence) == {**obj, "entities": []}
    assert sentence_from_json({"words": ["Anna"], "marginals": []}, "input").marginals == []


def test_entities_are_put_in_order():
    entities = [{"start": start, "end": end, "label": "X"} for start, end in [(1, 2), (0, 1), (0, 2)]]
    sentence = sentence_from_json({"words": ["a", "b"], "entities": entities}, "input")
    assert sentence.entities == [Entity(0, 2, "X"), Entity(0, 1, "X"), Entity(1, 2, "X")]


@pytest.mark.parametrize(
    "values, message",
    [
        ({"words": []}, r"found the words \[\], expected a list of at least one string"),
        ({"words": None}, "found the words None"),
        ({"words": "ab"}, "found the words 'ab'"),
        ({"words": ["a", ""]}, "found the words"),
        ({"words": ["a", 1]}, "found the words"),
        ({"pos": ["x"]}, r"found the pos \['x'\], expected a list of 2, one str a word"),
        ({"dep_labels": "ab"}, "found the dep_labels 'ab'"),
        ({"tags": ["O", None]}, "found the tags"),
        ({"space_after": [0, 1]}, "one bool a word"),
        ({"heads": ["0", "1"]}, "one int a word"),
        ({"heads": [0, 3]}, "found the head 3"),
        ({"heads": [2, 1]}, "without a root"),
        ({"entities": [{"start": 0, "end": 1}]}, "found the entity"),
        ({"entities": [{"start": 0, "end": 3, "label": "X"}]}, "expected .* with 0 <= start < end <= 2"),
        ({"entities": [{"start": 1, "end": 1, "label": "X"}]}, "found the entity"),
        ({"entities": [{"start": "0", "end": 1, "label": "X"}]}, "found the entity"),
        ({"entities": [{"start": 0, "end": 1, "label": 5}]}, "found the entity"),
        ({"entities": ["X"]}, "found the entity 'X'"),
        ({"entities": 5}, "found the entity 5"),
        ({"types": "PER"}, "found the types 'PER', expected a list of types of entities"),
        ({"types": []}, "found the types"),
        ({"types": ["PER", 5]}, "found the types"),
        ({"loss_weight": -1}, "found the loss_weight -1, expected a number from 0 up"),
        ({"loss_weight": True}, "found the loss_weight True"),
        ({"marginals": [{"O": 1}]}, r"found the marginals .*, expected a list of 2 objects, the probabilities"),
        ({"marginals": [{"O": 1}, {"O": 2}]}, "found the marginals"),
        ({"marginals": {"O": 1}}, "found the marginals"),
    ],
)
def test_bad_sentences(tmp_path, values, message):
    path = tmp_path / "file.jsonl"
    path.write_text('{"words": ["fine"]}\n' + json.dumps({"id": "s", "words": ["a", "b"], **values}))
    with pytest.raises(ConfigurationError, match=rf"file.jsonl:2 \(sentence s\): .*{message}"):
        list(JsonlCorpus().read(path))


@pytest.mark.parametrize(
    "line, message",
    [('{"words": ', "found Expecting value in column 11"), ("[1]", r"found \[1\], expected a JSON object")],
)
def test_bad_json(tmp_path, line, message):
    path = tmp_path / "file.jsonl"
    path.write_text(line)
    with pytest.raises(ConfigurationError, match=f"file.jsonl:1: {message}"):
        list(JsonlCorpus().read(path))


PREDICTED = {"words": ["In", "New", "York", "."], "text": "In New  York.", "offsets": [0, 3, 8, 12]}


def test_predicted_entities_in_words_and_in_characters():
    expected = {"start": 1, "end": 3, "label": "LOC", "text": "New  York", "start_char": 3, "end_char": 12}
    for entity in (Entity(1, 3, "LOC"), ScoredEntity(1, 3, "LOC", 0.75)):
        assert entities_to_json([(entity, 0.5)], PREDICTED) == [{**expected, "probability": 0.5}]


def test_predicted_entities_of_a_sentence_without_any():
    assert entities_to_json([], PREDICTED) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"words": ["a"], "entitys": []}',
            "file.jsonl:1: found the key 'entitys', expected 'entities', or another name",
        ),
        (
            '{"words": ["a"], "words": ["b"]}',
            "file.jsonl:1: found the key 'words' twice in an object, expected a JSON object",
        ),
        ('{"words": ["a"], "entities": [{"start": 0, "start": 1}]}', "found the key 'start' twice"),
    ],
)
def test_keys_that_would_be_lost(line, message, tmp_path):
    (tmp_path / "file.jsonl").write_text(line)
    with pytest.raises(ConfigurationError, match=message):
        list(JsonlCorpus().read(tmp_path / "file.jsonl"))


def test_documents_that_come_back_are_counted(tmp_path, caplog):
    ids = ["a", "a", "b", "a", "b", None, None]
    lines = (json.dumps({"words": ["x"], "doc_id": doc_id}) + "\n" for doc_id in ids)
    (tmp_path / "file.jsonl").write_text("".join(lines))
    assert len(list(JsonlCorpus().read(tmp_path / "file.jsonl"))) == 5
    assert "found 2 documents with the id of an earlier one" in caplog.text


def test_entities_that_cross(tmp_path):
    entities = [{"start": 0, "end": 2, "label": "X"}, {"start": 1, "end": 3, "label": "Y"}]
    path = tmp_path / "crossing.jsonl"
    path.write_text(json.dumps({"words": ["a", "b", "c"], "entities": entities}))
    with pytest.raises(ConfigurationError, match="crossing.jsonl:1: found .*'Y'.*, which crosses .*, expected nested"):
        list(JsonlCorpus().read(path))

import json
import logging

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.label_studio import LabelStudioCorpus
from nerzoo.text.annotation import Entity

TEXT = "Mara left\nNew Oslo."


def result(start, end, *labels, text=None, **more):
    value = {"start": start, "end": end, "labels": list(labels), **({} if text is None else {"text": text})}
    return {"id": "r", "from_name": "label", "to_name": "text", "type": "labels", "value": value, **more}


PERSON = result(0, 4, "PER", text="Mara")
TASK = {
    "id": 7,
    "data": {"text": TEXT},
    "annotations": [
        {"id": 1, "was_cancelled": False, "result": []},
        {"id": 2, "was_cancelled": False, "result": [PERSON, result(10, 18, "LOC", "GPE"), {"type": "relation"}]},
        {"id": 3, "was_cancelled": True, "result": []},
    ],
    "predictions": [{"model_version": "m", "score": 0.5, "result": [result(0, 4, "LOC", score=0.5)]}],
}


def read(tmp_path, *tasks, **options):
    path = tmp_path / "file.json"
    path.write_text(json.dumps(tasks[0] if tasks and not isinstance(tasks[0], dict) else tasks, indent=1))
    return list(LabelStudioCorpus(**options).read(path))


def test_annotations(tmp_path, caplog):
    with caplog.at_level(logging.INFO, "nerzoo"):
        (document,) = read(tmp_path, TASK, {"id": 8, "data": {"text": "x"}, "annotations": []})
    assert (document.id, document.text) == ("7", TEXT)
    assert [sentence.words for sentence in document.sentences] == [["Mara", "left"], ["New", "Oslo", "."]]
    entities = [[Entity(0, 1, "PER")], [Entity(0, 2, "GPE"), Entity(0, 2, "LOC")]]
    assert [sentence.entities for sentence in document.sentences] == entities
    assert document.sentences[0].id == f"{tmp_path}/file.json: task 1 (id 7)"
    assert (
        "1 annotations before the last one of a task, 1 results that are not labels of text, 1 tasks without"
        in caplog.text
    )


def test_predictions_and_tasks_alone(tmp_path):
    (document,) = read(tmp_path, TASK, results="predictions")
    assert document.sentences[0].entities == [Entity(0, 1, "LOC")]
    assert document.sentences[0].probabilities == [0.5]
    (document,) = read(tmp_path, TASK, results="none")
    assert not document.sentences[0].entities


def test_other_keys(tmp_path):
    task = {"data": {"body": "Mara", "doc_id": "d"}, "annotations": [{"result": [PERSON]}]}
    (document,) = read(tmp_path, task, text_key="body")
    assert (document.id, document.sentences[0].entities) == ("d", [Entity(0, 1, "PER")])


def test_line_ends_as_two_characters(tmp_path):
    task = {"data": {"text": TEXT}, "annotations": [{"result": [result(5, 13, "X", text="left\\nNew")]}]}
    (document,) = read(tmp_path, task)
    assert document.sentences[0].entities == [Entity(1, 3, "X")]


def annotated(*results):
    return {"id": 9, "data": {"text": TEXT}, "annotations": [{"result": list(results)}]}


@pytest.mark.parametrize(
    "task, message",
    [
        ({"text": TEXT, "label": []}, "task 2: found no data, expected a task such as"),
        (5, "task 2: found no data"),
        ({"id": 9, "data": {"body": "x"}}, r"task 2 \(id 9\): found data with body, expected a string text"),
        ({"data": {"text": "x"}, "annotations": 5}, "found the annotations 5, expected a list of objects"),
        ({"data": {"text": "x"}, "annotations": [{"result": 5}]}, "found the result 5, expected a list"),
        (annotated(result("0", 4, "PER")), "found the result .* expected labels, and a start and an end"),
        (
            annotated(result(0, 5, "PER", text="Mara")),
            "found the entity 'Mara', where the text has 'Mara ', from 0 to 5",
        ),
        (annotated(result(0, 99, "PER")), "found an entity from 0 to 99, expected 0 <= start < end <= 19"),
        (annotated(result(0, 3, "PER")), "found the entity 'Mar', a part of the words 'Mara'"),
    ],
)
def test_bad_tasks(tmp_path, task, message):
    with pytest.raises(ConfigurationError, match=f"file.json: .*{message}"):
        read(tmp_path, TASK, task)


def test_bad_files(tmp_path):
    with pytest.raises(ConfigurationError, match="file.json: found JSON of type str, expected a JSON list of tasks"):
        read(tmp_path, "x")
    with pytest.raises(ConfigurationError, match="file.json: found no sentence"):
        read(tmp_path)
    (tmp_path / "bad.json").write_text('[\n{"data": }]')
    with pytest.raises(
        ConfigurationError, match="bad.json:2: found Expecting value in column 10, expected a JSON list"
    ):
        list(LabelStudioCorpus().read(tmp_path / "bad.json"))
    with pytest.raises(ConfigurationError, match="found the results 'x', expected 'annotations', 'predictions' or"):
        LabelStudioCorpus(results="x")

import json
import logging

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.doccano import DoccanoCorpus
from nerzoo.text.annotation import Entity


def read(tmp_path, *objects):
    path = tmp_path / "file.jsonl"
    path.write_text("".join((obj if isinstance(obj, str) else json.dumps(obj)) + "\n" for obj in objects))
    return list(DoccanoCorpus().read(path))


@pytest.mark.parametrize(
    "entities",
    [
        {"label": [[10, 14, "LOC"], [0, 4, "PER"]]},
        {"labels": [[0, 4, "PER"], [10, 14, "LOC"]], "label": None},
        {
            "entities": [
                {"id": 1, "start_offset": 0, "end_offset": 4, "label": "PER"},
                {"id": 2, "start_offset": 10, "end_offset": 14, "label": "LOC"},
            ],
            "relations": [{"id": 1, "from_id": 1, "to_id": 2, "type": "in"}],
        },
    ],
)
def test_forms(tmp_path, caplog, entities):
    with caplog.at_level(logging.INFO, "nerzoo"):
        first, second = read(
            tmp_path, {"id": 7, "text": "Mara left Oslo.", **entities}, "", {"id": 8, "text": "a", "label": []}
        )
    assert (first.id, first.text, second.id) == ("7", "Mara left Oslo.", "8")
    assert first.sentences[0].words == ["Mara", "left", "Oslo", "."]
    assert first.sentences[0].entities == [Entity(0, 1, "PER"), Entity(2, 3, "LOC")]
    assert first.sentences[0].id == f"{tmp_path}/file.jsonl:1" and second.sentences[0].id.endswith(":3")
    assert ("1 relations" in caplog.text) == ("relations" in entities)


def test_texts_alone(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text": "Mara left."}')
    (document,) = DoccanoCorpus(annotated=False).read(path)
    assert document.sentences[0].words == ["Mara", "left", "."] and not document.sentences[0].entities


def test_parts_of_documents(tmp_path):
    texts = [{"id": i, "doc_id": doc, "text": f"w{i} .", "label": []} for i, doc in enumerate(["a", "a", "b"])]
    assert [(document.id, document.text) for document in read(tmp_path, *texts)] == [("a", "w0 .\nw1 ."), ("b", "w2 .")]
    (document,) = read(tmp_path, *({"text": f"w{i}", "label": []} for i in range(2)))
    assert document.id is None and len(document.sentences) == 2


@pytest.mark.parametrize(
    "obj, message",
    [
        ({"text": 5, "label": []}, "found the text 5, expected a string"),
        ({"label": []}, "found the text None"),
        ({"text": "a"}, "found the keys text, expected one of label, labels, entities"),
        ({"text": "a", "label": [], "labels": []}, "found the keys text, label, labels, expected one of"),
        ({"text": "a", "label": "PER"}, "found the label 'PER', expected a list"),
        ({"text": "a", "label": ["PER"]}, r"found the entity 'PER', expected \[start, end, \"label\"\], or an object"),
        ({"text": "a", "label": [[0, 1]]}, r"found the entity \[0, 1\]"),
        ({"text": "a", "entities": [{"start_offset": 0, "end_offset": 1}]}, r"found the entity \[0, 1, None\]"),
        ({"text": "a", "label": [[0, 2, "X"]]}, "found an entity from 0 to 2, expected 0 <= start < end <= 1"),
        ({"text": "ab", "label": [[0, 1, "X"]]}, "found the entity 'a', a part of the words 'ab'"),
        ("[", "found Expecting value"),
    ],
)
def test_bad_lines(tmp_path, obj, message):
    with pytest.raises(ConfigurationError, match=f"file.jsonl:2: {message}"):
        read(tmp_path, {"id": 1, "text": "fine", "label": []}, obj)


def test_documents_that_come_back_are_counted(tmp_path, caplog):
    ids = ["a", "b", "a"]
    assert len(read(tmp_path, *({"text": "x", "label": [], "id": id} for id in ids))) == 3
    assert "found 1 documents with the id of an earlier one" in caplog.text

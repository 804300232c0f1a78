"""What tools for annotation import, to the last character."""

import json

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.brat import BratCorpus, BratWriter
from nerzoo.formats.doccano import DoccanoWriter
from nerzoo.formats.label_studio import LabelStudioCorpus, LabelStudioWriter
from nerzoo.formats.standoff import TextSplitter
from nerzoo.text.annotation import Document, Entity, Sentence

FIRST = Sentence(
    ["Mara", "left", "Port", "Oslo", "."],
    entities=[Entity(0, 1, "PER"), Entity(2, 4, "LOC")],
    space_after=[True, True, True, False, True],
    probabilities=[0.5, 0.25],
)
SECOND = Sentence(["Why", "?"])
DOCUMENT = Document("a/1", [FIRST, SECOND])
# As a corpus leaves it that has the text.
WITH_TEXT = Document("a/1", [FIRST, SECOND], "Mara  left Port\nOslo.\tWhy ?\r\n")


def test_brat(tmp_path):
    writer = BratWriter()
    writer.write_all([DOCUMENT, Document(None, [SECOND]), Document("..", [SECOND])], tmp_path / "out")
    assert (tmp_path / "out/a/1.txt").read_bytes() == b"Mara left Port Oslo.\nWhy ?\n"
    assert (tmp_path / "out/a/1.ann").read_bytes() == b"T1\tPER 0 4\tMara\nT2\tLOC 10 19\tPort Oslo\n"
    names = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.ann")}
    assert names == {"a/1.ann", "2.ann", "%2E..ann"}
    assert {document.id for document in BratCorpus().read(tmp_path / "out")} == {"a/1", "2", ".."}
    assert writer.lost() == "3 sentences' bounds and words, 2 entities' probabilities".replace("3", "4")


def test_brat_keeps_the_text(tmp_path):
    writer = BratWriter()
    writer.write_all([WITH_TEXT], tmp_path / "out")
    assert (tmp_path / "out/a/1.txt").read_bytes() == WITH_TEXT.text.encode()
    assert (tmp_path / "out/a/1.ann").read_text() == "T1\tPER 0 4\tMara\nT2\tLOC 11 15;16 20\tPort Oslo\n"
    (document,) = BratCorpus().read(tmp_path / "out")
    assert document.text == WITH_TEXT.text
    assert document.sentences[0].entities == FIRST.entities


def test_ids_as_names_of_files(tmp_path):
    ids = ["a/b", "a/.b", "../c", "/d", "e//f", "g:h%", "i j", "k\n", "é", "l.txt"]
    BratWriter().write_all([Document(id, [SECOND]) for id in ids], tmp_path / "out")
    assert {document.id for document in BratCorpus().read(tmp_path / "out")} == set(ids)
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_bad_brat(tmp_path):
    with pytest.raises(ConfigurationError, match="found two documents with the id 'a/1', expected another id for each"):
        BratWriter().write_all([DOCUMENT, DOCUMENT], tmp_path / "out")
    with pytest.raises(ConfigurationError, match="s: found the label 'A B', expected one without white space"):
        BratWriter().write_all(
            [Document("a", [Sentence(["x"], entities=[Entity(0, 1, "A B")], id="s")])], tmp_path / "out"
        )


def test_words_that_a_pretokenized_text_cannot_have(tmp_path):
    with pytest.raises(ConfigurationError, match="s: found the word 'a b', expected one without spaces and line ends"):
        DoccanoWriter(pretokenized=True).text(Document("a", [Sentence(["a b"], id="s")]))
    for word in ("\u00a0", "a\t", "\x85a"):
        with pytest.raises(ConfigurationError) as error:
            DoccanoWriter(pretokenized=True).text(Document("a", [Sentence(["x", word], id="s")]))
        assert str(error.value) == f"s: found the word {word!r}, expected one without white space at its ends"


def test_entities_that_are_white_space():
    sentence = Sentence(["x", "\u00a0"], entities=[Entity(1, 2, "A")], id="s")
    with pytest.raises(ConfigurationError, match=r"s: found the entity '.xa0', expected one that has words"):
        DoccanoWriter().text(Document("a", [sentence]))


def test_brat_with_signs_that_its_files_cannot_have(tmp_path):
    sentence = Sentence(["a\rb"], entities=[Entity(0, 1, "A")])
    BratWriter(pretokenized=True).write_all([Document("a", [sentence])], tmp_path / "out")
    (document,) = BratCorpus(TextSplitter(pretokenized=True)).read(tmp_path / "out")
    assert (document.sentences[0].words, document.sentences[0].entities) == (["a\rb"], [Entity(0, 1, "A")])
    with pytest.raises(ConfigurationError, match="s: found a byte order mark at the start of the text, expected none"):
        BratWriter().write_all([Document("a", [Sentence(["\ufeffa"], id="s")])], tmp_path / "other")


def test_doccano():
    first = {"doc_id": "a/1", "text": "Mara left Port Oslo.\nWhy ?", "label": [[0, 4, "PER"], [10, 19, "LOC"]]}
    assert json.loads(DoccanoWriter().text(DOCUMENT)) == first
    lines = DoccanoWriter(per_sentence=True, pretokenized=True).text(DOCUMENT).splitlines()
    sentence = {"text": "Mara left Port Oslo .", "label": [[0, 4, "PER"], [10, 19, "LOC"]]}
    second = {"text": "Why ?", "label": []}
    assert [json.loads(line) for line in lines] == [{"doc_id": "a/1", **sentence}, {"doc_id": "a/1", **second}]
    lines = DoccanoWriter(pretokenized=True).text(Document(None, [FIRST, SECOND])).splitlines()
    assert [json.loads(line) for line in lines] == [sentence, second]
    text = json.loads(DoccanoWriter().text(WITH_TEXT))
    assert (text["text"], text["label"]) == (WITH_TEXT.text, [[0, 4, "PER"], [11, 20, "LOC"]])


@pytest.mark.parametrize("id, per_sentence", [("a", True), (None, False)])
def test_parts_of_a_text(id, per_sentence):
    lines = DoccanoWriter(per_sentence=per_sentence).text(Document(id, [FIRST, SECOND], WITH_TEXT.text)).splitlines()
    objects = [json.loads(line) for line in lines]
    assert [obj["text"] for obj in objects] == ["Mara  left Port\nOslo.", "Why ?"]
    assert objects[0]["label"] == [[0, 4, "PER"], [11, 20, "LOC"]]
    # A text that is one sentence is as it was.
    line = DoccanoWriter().text(Document(None, [SECOND], " Why  ?\n"))
    assert json.loads(line) == {"text": " Why  ?\n", "label": []}


def test_label_studio(tmp_path):
    writer = LabelStudioWriter()
    writer.write_all([DOCUMENT, Document(None, [FIRST, SECOND])], tmp_path / "tasks.json")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert [task["data"] for task in tasks] == [
        {"text": "Mara left Port Oslo.\nWhy ?", "doc_id": "a/1"},
        {"text": "Mara left Port Oslo."},
        {"text": "Why ?"},
    ]
    place = {"start": 10, "end": 19, "text": "Port Oslo", "labels": ["LOC"]}
    assert tasks[0]["annotations"][0]["result"][1] == {
        "id": "entity-2",
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": place,
    }
    assert tasks[2]["annotations"] == [{"result": []}] and "predictions" not in tasks[0]
    assert "4 entities' probabilities" in writer.lost()


def test_pre_annotations(tmp_path):
    options = {"text_key": "body", "from_name": "ner", "to_name": "body", "model_version": "m1"}
    writer = LabelStudioWriter("predictions", per_sentence=True, **options)
    writer.write_all([DOCUMENT], tmp_path / "tasks.json")
    first, second = json.loads((tmp_path / "tasks.json").read_text())
    assert "annotations" not in first and first["data"]["body"] == "Mara left Port Oslo."
    (prediction,) = first["predictions"]
    assert (prediction["model_version"], prediction["score"]) == ("m1", 0.25)
    assert [(result["from_name"], result["to_name"], result["score"]) for result in prediction["result"]] == [
        ("ner", "body", 0.5),
        ("ner", "body", 0.25),
    ]
    assert second["predictions"] == [{"result": [], "model_version": "m1"}]
    assert "probabilities" not in writer.lost()
    (document,) = LabelStudioCorpus(text_key="body", results="predictions").read(tmp_path / "tasks.json")
    assert [sentence.entities for sentence in document.sentences] == [FIRST.entities, []]
    assert document.sentences[0].probabilities == [0.5, 0.25]


def test_no_document(tmp_path):
    LabelStudioWriter().write_all([], tmp_path / "tasks.json")
    assert json.loads((tmp_path / "tasks.json").read_text()) == []


def test_bad_options():
    with pytest.raises(ConfigurationError, match="found the results 'x', expected 'annotations' or 'predictions'"):
        LabelStudioWriter("x")

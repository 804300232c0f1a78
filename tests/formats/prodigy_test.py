"""JSON lines of Prodigy."""

import json

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.prodigy import ProdigyCorpus, ProdigyWriter
from nerzoo.text.annotation import Document, Entity, Sentence

TOKENS = [
    {"text": "Mara", "start": 0, "end": 4, "id": 0, "ws": True},
    {"text": "saw", "start": 5, "end": 8, "id": 1, "ws": False},
    {"text": "\n", "start": 8, "end": 9, "id": 2, "ws": False},
    {"text": "Lindow", "start": 9, "end": 15, "id": 3, "ws": False},
    {"text": ".", "start": 15, "end": 16, "id": 4, "ws": False},
]
EXAMPLE = {
    "text": "Mara saw\nLindow.",
    "_input_hash": 1,
    "tokens": TOKENS,
    "spans": [
        {"start": 0, "end": 4, "token_start": 0, "token_end": 0, "label": "PER"},
        {"start": 8, "end": 15, "token_start": 2, "token_end": 3, "label": "LOC"},
    ],
    "answer": "accept",
}


def read(tmp_path, *examples):
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(example) + "\n" for example in examples))
    return list(ProdigyCorpus().read(tmp_path / "x.jsonl"))


def test_examples_of_prodigy(tmp_path, caplog):
    caplog.set_level("INFO")
    others = [{**EXAMPLE, "answer": answer} for answer in ("reject", "ignore", "reject")]
    unanswered = {"text": "Mara", "tokens": TOKENS[:1], "meta": {"doc_id": 7}}
    documents = read(tmp_path, EXAMPLE, *others, EXAMPLE, unanswered)
    assert [(document.id, len(document.sentences)) for document in documents] == [("1", 2), ("7", 1)]
    assert documents[0].sentences[0] == Sentence(
        ["Mara", "saw", "Lindow", "."],
        entities=[Entity(0, 1, "PER"), Entity(2, 3, "LOC")],
        space_after=[True, True, False, True],
        id=f"{tmp_path}/x.jsonl:1",
    )
    left_out = "1 examples ignored, 2 examples rejected"
    assert f"left out or adapted: 2 entities with white space at their ends, {left_out}" in caplog.text


def test_only_rejected_examples(tmp_path):
    with pytest.raises(ConfigurationError, match="x.jsonl: found no sentence, expected at least one"):
        read(tmp_path, {**EXAMPLE, "answer": "reject"})


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"tokens": None}, "found no tokens, expected a list, as Prodigy's ner.manual adds it to a text"),
        ({"tokens": [TOKENS[1]], "text": "Mara"}, "found the token {'text': 'saw', 'start': 5, 'end': 8, "),
        ({"tokens": [{**TOKENS[0], "end": 9}], "text": "Mara"}, "found the token {'text': 'Mara', 'start': 0, 'end': "),
        ({"spans": [{"start": 1, "end": 4, "label": "PER"}]}, "found the span 'ara' from 1 to 4, expected one that "),
        ({"spans": [{"start": 0, "end": 99, "label": "PER"}]}, "found an entity from 0 to 99, expected 0 <= start < "),
        ({"spans": [{"start": 0, "end": 4}]}, "found the span {'start': 0, 'end': 4}, expected an object with start"),
        ({"spans": {"start": 0}}, "found the spans {'start': 0}, expected a list"),
        ({"answer": "maybe"}, "found the answer 'maybe', expected accept, reject or ignore"),
        ({"text": None}, "found the text None, expected a string"),
    ],
)
def test_bad_examples(changes, message, tmp_path):
    with pytest.raises(ConfigurationError) as error:
        read(tmp_path, EXAMPLE, {**EXAMPLE, **changes})
    assert str(error.value).startswith(f"{tmp_path}/x.jsonl:2: {message}")


@pytest.mark.parametrize("word", ["\u00a0", "\ta", "a\x85"])
def test_words_that_would_be_read_as_others(word):
    with pytest.raises(ConfigurationError) as error:
        ProdigyWriter().text(Document("a", [Sentence(["Mara", word], id="s")]))
    assert str(error.value) == f"s: found the word {word!r}, expected one without white space at its ends"


def test_what_prodigy_reads():
    sentence = Sentence(
        ["Mara", "saw", "Port", "Lindow", "."],
        entities=[Entity(0, 1, "PER"), Entity(2, 4, "LOC"), Entity(3, 4, "PER")],
        space_after=[True, True, True, False, True],
    )
    writer = ProdigyWriter()
    first, second = map(json.loads, writer.text(Document("a", [sentence, Sentence(["Why"])])).splitlines())
    assert first["text"] == "Mara saw Port Lindow." and first["meta"] == {"doc_id": "a"}
    assert [(token["start"], token["end"], token["ws"]) for token in first["tokens"]][2:] == [
        (9, 13, True),
        (14, 20, False),
        (20, 21, False),
    ]
    assert first["spans"][1] == {"start": 9, "end": 20, "token_start": 2, "token_end": 3, "label": "LOC"}
    assert len(first["spans"]) == 3 and second["spans"] == [] and second["answer"] == "accept"
    assert not writer.losses

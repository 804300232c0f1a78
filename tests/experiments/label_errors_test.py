import json
import sys

import pytest
from helpers.paths import FIXTURES

from experiments.label_errors import hits, main, seed_errors, table
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.text.annotation import Entity, Sentence

TRAIN = FIXTURES / "people_and_places/train.txt"


def read(path):
    return [sentence for document in ColumnsCorpus().read(str(path)) for sentence in document.sentences]


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["label_errors", *map(str, arguments)])
    main()


def test_a_seeded_corpus_differs_in_what_is_said(tmp_path, monkeypatch, capsys):
    run(monkeypatch, "seed", TRAIN, tmp_path / "seeded.txt", tmp_path / "changes.jsonl", "--share", 0.2)
    before, after = read(TRAIN), read(tmp_path / "seeded.txt")
    changes = [json.loads(line) for line in (tmp_path / "changes.jsonl").read_text().splitlines()]
    num_entities = sum(len(sentence.entities) for sentence in before)
    assert len(changes) == round(0.2 * num_entities)
    assert capsys.readouterr().out == f"changed {len(changes)} entities\n"
    assert [sentence.words for sentence in before] == [sentence.words for sentence in after]
    expected = [set(sentence.entities) for sentence in before]
    for change in changes:
        true = Entity(*change["true"])
        expected[change["index"]].remove(true)
        if change["kind"] == "deletion":
            assert change["given"] is None
            continue
        given = Entity(*change["given"])
        expected[change["index"]].add(given)
        if change["kind"] == "type":
            assert given[:2] == true[:2] and given.label != true.label
        else:
            moves = abs(given.start - true.start), abs(given.end - true.end)
            assert given.label == true.label and sorted(moves) == [0, 1]
    # Written as tags, which entities that share a word could not be.
    assert [set(sentence.entities) for sentence in after] == expected
    assert abs(sum(change["kind"] == "type" for change in changes) - len(changes) / 3) <= 1


def test_a_boundary_that_cannot_move_is_left():
    sentences = [Sentence(["Mara"], entities=[Entity(0, 1, "a")]), Sentence(["Quill", "left"], entities=[])]
    sentences += [Sentence(["Varda", "."], entities=[Entity(0, 1, "b")]) for _ in range(4)]
    changes = seed_errors(sentences, 1.0, 3)
    assert {change["kind"] for change in changes if change["index"] == 0} <= {"type", "deletion"}
    for change in changes:
        assert change["kind"] != "boundary" or change["given"] == Entity(0, 2, "b")


CHANGES = [
    {"index": 0, "kind": "type", "true": [0, 1, "a"], "given": [0, 1, "b"]},
    {"index": 0, "kind": "boundary", "true": [2, 3, "a"], "given": [2, 4, "a"]},
    {"index": 5, "kind": "deletion", "true": [1, 3, "a"], "given": None},
]


def found(index, annotated, *believed):
    keys = ("start", "end", "label")
    entities = [dict(zip(keys, entity, strict=True)) for entity in believed]
    return {
        "index": index,
        "annotated": annotated and dict(zip(keys, annotated, strict=True)),
        "believed": entities,
    }


FOUND = [
    found(5, None, (2, 3, "b")),
    found(5, None, (3, 4, "a")),
    found(0, (0, 1, "b"), (0, 1, "a")),
    found(4, (2, 4, "a")),
]


def test_what_is_found_of_what_was_changed():
    assert hits(CHANGES, FOUND) == [2, None, 0, None]
    header, row = table(CHANGES, FOUND)
    assert header[:3] == ("k", "precision", "recall")
    assert row == ("4", "0.500", "0.667", "1.000", "0.000", "1.000")
    # A second part of the same error finds no more.
    assert table(CHANGES, FOUND[:1] * 2)[1][1:3] == ("0.500", "0.333")


def test_scores_are_printed(tmp_path, monkeypatch, capsys):
    for name, lines in (("changes", CHANGES), ("found", FOUND * 7)):
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    run(monkeypatch, "score", tmp_path / "changes", tmp_path / "found")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("| 25 | 0.080 | 0.667 |") and lines[2].startswith("| 28 | ")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_seed_decides(seed):
    same = [seed_errors(read(TRAIN), 0.1, seed) for _ in range(2)]
    assert same[0] == same[1] != seed_errors(read(TRAIN), 0.1, seed + 5)

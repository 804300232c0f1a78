"""The command `describe`, on a small corpus whose facts are counted by hand."""

import json
import logging

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import FIXTURES


def entity(start, end, label):
    return {"start": start, "end": end, "label": label}


TRAIN = [
    {
        "words": ["Ana", "met", "the", "mayor", "of", "Rome"],
        "entities": [entity(0, 1, "PER"), entity(2, 6, "PER"), entity(5, 6, "LOC")],
    },
    {"words": ["Rome"], "entities": [entity(0, 1, "LOC"), entity(0, 1, "ORG")]},
]
TEST = [
    {"words": ["Ana", "left", "Rome"], "entities": [entity(0, 1, "PER"), entity(2, 3, "ORG")]},
    {"words": ["Rome"], "entities": []},
    {"words": ["a", "b", "c"], "entities": [entity(0, 2, "LOC"), entity(1, 2, "LOC")]},
]


@pytest.fixture
def parts(tmp_path):
    paths = []
    for name, sentences in (("train", TRAIN), ("test", TEST)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(sentence) + "\n" for sentence in sentences))
        paths.append(path)
    return paths


def test_counts_of_a_small_corpus(parts, tmp_path):
    nerzoo("describe", *parts, "--output-folder", tmp_path / "report")
    report = json.loads((tmp_path / "report/report.json").read_text())
    train, test = report["parts"]
    assert (train["sentences"], train["words"], train["distinct_words"], train["entities"]) == (2, 7, 6, 5)
    assert train["words_in_entities"] == 6 and train["doubled"] == 1 and train["crossing"] == 0
    assert train["types"] == {"PER": 2, "LOC": 2, "ORG": 1}
    assert train["lengths"] == {"1": 4, "4": 1} and train["depths"] == {"1": 4, "2": 1}
    assert train["longest_sentence"] == 6 and train["longest_document"] == 7 and train["trees"] == 0
    assert test["lengths"] == {"1": 3, "2": 1}
    # Unknown: left, a, b, c; Rome is known as an organization, too.
    assert test["unknown_words"] == 4 / 7 and test["unknown_entities"] == 2 / 4 and test["repeated_sentences"] == 1 / 3
    assert report["costs"]["max_length"] == {"1": 2 / 9, "2": 1 / 9, "3": 1 / 9, "4": 0.0}
    assert report["costs"]["max_depth"] == {"1": 2 / 9, "2": 0.0}
    page = (tmp_path / "report/report.html").read_text()
    assert "max_length 4 loses 0.0 % of the entities." in page and "loses 22.2 % of them" in page
    with pytest.raises(ConfigurationError, match="report: found an output that exists"):
        nerzoo("describe", *parts, "--output-folder", tmp_path / "report")


def test_what_is_left_out_is_said(tmp_path, caplog):
    example = {"text": "Ana", "tokens": [{"text": "Ana", "start": 0, "end": 3}]}
    examples = [{**example, "answer": answer} for answer in ("accept", "reject")]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(example) + "\n" for example in examples))
    # As the command `nerzoo` sets it.
    logging.getLogger("nerzoo").setLevel(logging.WARNING)
    try:
        nerzoo("describe", path)
    finally:
        logging.getLogger("nerzoo").setLevel(logging.NOTSET)
    assert f"{path}: left out or adapted: 1 examples rejected" in caplog.text


def test_a_treebank_on_the_screen(capsys):
    nerzoo("describe", *(FIXTURES / f"people_and_places/{part}.conllu" for part in ("train", "dev")))
    shown = capsys.readouterr().out
    assert "|  | train.conllu | dev.conllu |" in shown and "| sentences | 208 | 33 |" in shown
    assert "| sentences with trees | 208 | 33 |" in shown and "## Labels of arcs" in shown


def test_a_file_with_a_colon_in_its_name(parts, tmp_path, capsys):
    path = parts[0].rename(tmp_path / "a:count.jsonl")
    nerzoo("describe", path)
    assert "|  | a:count.jsonl |" in capsys.readouterr().out


def test_entities_that_cross(tmp_path, capsys):
    path = tmp_path / "crossing.txt"
    path.write_text("a B-X O\nb I-X B-X\nc O I-X\n\n")
    nerzoo("describe", path, "--corpus", '{"type": "columns", "tag_column": [1, 2], "allow_crossing": true}')
    assert "| entities that cross another one | 1 |" in capsys.readouterr().out


def test_parts_of_speech_alone(tmp_path, capsys):
    path = tmp_path / "tags.txt"
    path.write_text("the DT\ncat NN\n\n")
    nerzoo("describe", path, "--corpus", '{"type": "columns", "coding_scheme": null}')
    shown = capsys.readouterr().out
    assert "2 labels; the most frequent ones: DT, NN" in shown and "Entities" not in shown

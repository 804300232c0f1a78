import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import FIXTURES

from nerzoo.formats.conllu import ConlluCorpus

TREEBANK = FIXTURES / "people_and_places/test.conllu"


@pytest.fixture(scope="module")
def ner(request):
    return request.getfixturevalue("archives")("ner")


def test_sentences_of_a_corpus_in_the_order_of_selection(ner, tmp_path, capfd):
    output = tmp_path / "selected.jsonl"
    allennlp("select", ner, TREEBANK, "--corpus", "conllu", "--size", 5, "--output-file", output)
    selected = [json.loads(line) for line in output.read_text().splitlines()]
    sentences = [sentence for document in ConlluCorpus().read(str(TREEBANK)) for sentence in document.sentences]
    scores = [sentence["score"] for sentence in selected]
    assert len(scores) == 5 and scores == sorted(scores, reverse=True)
    for sentence in selected:
        original = sentences[sentence["index"]]
        assert sentence["words"] == original.words and sentence["heads"] == original.heads
        assert sentence["location"] == original.location
        assert "tags" not in sentence and "entities" not in sentence
    assert f"selected 5 of {len(sentences)} sentences; skipped " in capfd.readouterr().err


def test_predictions_as_pre_annotations(ner, tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("Mara lived in Calder.\n\nRain fell.\n")
    options = ["--size", 2, "--criterion", "least_confidence", "--per-token"]
    allennlp("select", ner, texts, *options, "--output-file", tmp_path / "plain.jsonl")
    indices = [json.loads(line)["index"] for line in (tmp_path / "plain.jsonl").read_text().splitlines()]
    output = tmp_path / "tasks.json"
    allennlp("select", ner, texts, *options, "--output-format", "label_studio", "--output-file", output)
    tasks = json.loads(output.read_text())
    assert [task["data"]["doc_id"] for task in tasks] == [str(index) for index in indices]
    assert {task["data"]["text"] for task in tasks} == {"Mara lived in Calder.", "Rain fell."}
    assert all("predictions" in task for task in tasks)


def test_outputs_that_exist_and_folders_that_do_not(ner, tmp_path):
    (tmp_path / "old").touch()
    for name, message in (("old", "found an output that exists"), ("no/where", "found no folder for it")):
        with pytest.raises(ConfigurationError, match=message):
            allennlp("select", ner, TREEBANK, "--corpus", "conllu", "--size", 1, "--output-file", tmp_path / name)

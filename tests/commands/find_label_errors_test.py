import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import FIXTURES


@pytest.mark.parametrize("job", ["ner", "fofe_ner"])
def test_predictions_of_a_model(archives, job, tmp_path, capsys):
    predictions, output = tmp_path / "predictions.jsonl", tmp_path / "errors.jsonl"
    file = FIXTURES / "people_and_places" / ("test.txt" if job == "ner" else "test.conllu")
    overrides = {"model.extra_outputs": ["gold_entities"]} if job == "ner" else {}
    options = ["--use-dataset-reader", "--output-file", predictions, "--silent"]
    allennlp("predict", archives(job), file, *options, overrides=overrides)
    capsys.readouterr()
    allennlp("find-label-errors", predictions, "--output-file", output)
    errors = [json.loads(line) for line in output.read_text().splitlines()]
    sentences = [json.loads(line) for line in predictions.read_text().splitlines()]
    assert errors and [e["probability"] for e in errors] == sorted(e["probability"] for e in errors)
    for error in errors:
        sentence = sentences[error["index"]]
        assert error["location"] == f"{predictions}:{error['index'] + 1}" and error["words"] == sentence["words"]
        places = {(e["start"], e["end"], e["label"]): e["probability"] for e in sentence["entities"]}
        for entity in error["believed"]:
            assert places[entity["start"], entity["end"], entity["label"]] == entity["probability"]
            assert entity["text"] == " ".join(sentence["words"][entity["start"] : entity["end"]])
        if error["annotated"] is None:
            assert error["kind"] == "missing"
        else:
            assert error["annotated"]["probability"] == error["probability"]
    kinds = ("missing", "spurious", "type", "boundary")
    counts = ", ".join(f"{kind} {sum(error['kind'] == kind for error in errors)}" for kind in kinds)
    assert capsys.readouterr().out.splitlines()[-1] == counts


def test_an_output_that_exists(tmp_path):
    (tmp_path / "old").touch()
    with pytest.raises(ConfigurationError, match="found an output that exists"):
        allennlp("find-label-errors", tmp_path / "no.jsonl", "--output-file", tmp_path / "old")

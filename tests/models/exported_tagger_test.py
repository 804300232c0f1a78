"""An exported tagger in the place of the archive that it was made from."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.archives import assert_same, sentences
from helpers.commands import nerzoo
from helpers.paths import FIXTURES

from nerzoo.deploy.server.requests import Limits
from nerzoo.deploy.server.server import model_facts
from nerzoo.inference.tagger import Tagger, predicted_labels

ITEMS = [{"words": sentence["words"]} for sentence in sentences()[:20]]
OUTPUTS = {"model.extra_outputs": ["n_best", "least_confidence"]}


def test_it_predicts_as_its_archive_does(exported, archives):
    tagger, expected = (Tagger.load(path, "cpu", overrides=OUTPUTS) for path in (exported, archives("ner")))
    predictions = list(tagger(ITEMS))
    assert any(prediction["entities"] for prediction in predictions) and "n_best" in predictions[0]
    assert_same(predictions, list(expected(ITEMS)), 1e-4)
    assert predicted_labels(tagger.predictor.model) == predicted_labels(expected.predictor.model)


RAW = [
    "Mara Quill left Calder.  It rained (10km away): she didn't mind!",
    {"text": "Mara left.\n\nOren stayed.", "id": 7, "types": ["person"]},
    {"sentence": "Mara Quill's U.S.-born sister lives 10km from Port Essel.", "doc_id": "a"},
    {"sentence": " "},
    {"words": ["Mara", "left", "."]},
    "",
]


@pytest.mark.parametrize("overrides", [None, OUTPUTS])
def test_raw_text_is_predicted_as_by_its_archive(exported, archives, overrides):
    """By the exported form itself or, with extra outputs, by way of instances."""
    tagger = Tagger.load(exported, "cpu", overrides=overrides)
    expected = Tagger.load(archives("ner"), "cpu", overrides=overrides, engine="torch")
    assert_same(list(tagger(RAW)), list(expected(RAW)), 1e-4)
    mistakes = [{"sentence": "Mara", "types": ["beast"]}, {"sentence": "a " * 20_001}, {"text": 5}]
    found, wanted = ([each["error"] for each in each_tagger(mistakes, "yield")] for each_tagger in (tagger, expected))
    assert found == wanted


def test_evaluate_and_predict_take_its_name(zoo, archives, tmp_path):
    data = FIXTURES / "people_and_places/test.txt"
    for model, output in (("xy", tmp_path / "ours.json"), (archives("ner"), tmp_path / "archive.json")):
        nerzoo("evaluate", model, data, "--output-file", output)
    ours, archive = (json.loads((tmp_path / name).read_text()) for name in ("ours.json", "archive.json"))
    # The archive's partition function has sequences that are never decoded.
    assert ours.pop("loss") <= archive.pop("loss") + 1e-4
    assert_same(ours, archive, 1e-4)
    nerzoo("predict", "xy", data, "--use-dataset-reader", "--silent", "--output-file", tmp_path / "out.jsonl")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) > 5


def test_it_tags_corpora_in_other_processes(zoo, tmp_path, capsys):
    """A fork has no threads of ONNX Runtime."""
    data = FIXTURES / "people_and_places/test.txt"
    options = ("tag", "xy", data, "--corpus", "columns", "--output-format", "columns")
    nerzoo(*options)
    shown = capsys.readouterr().out
    nerzoo(*options, "--workers", 1, "--output-file", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == shown != ""


def test_a_server_tells_about_it(zoo):
    facts = model_facts("xy", Tagger.load("xy", "cpu"), Limits())
    assert (facts["name"], facts["predictor"], facts["labels"]) == ("xy", "ner", ["organization", "person", "place"])


def test_a_damaged_one(zoo):
    (zoo / "xy/transitions.npy").write_bytes(b"x")
    with pytest.raises(ConfigurationError, match="transitions.npy: found another content than was exported"):
        Tagger.load("xy")

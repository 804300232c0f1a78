import itertools
import re

import pytest
from helpers.archives import assert_same

import nerzoo
from nerzoo.inference import tagger as archive_tagger
from nerzoo.zoo.tagger import ExportedTagger

MARA = {"words": ["Mara", "lived", "in", "Calder", "."]}


def test_a_name(zoo, archives):
    tagger = nerzoo.Tagger.load("xy")
    assert isinstance(tagger, ExportedTagger)
    assert_same(tagger(MARA), nerzoo.Tagger.load(archives("ner"), "cpu")(MARA), 1e-4)


def test_an_archive_and_its_options(zoo, archives):
    tagger = nerzoo.Tagger.load(archives("ner"), "cpu", overrides={"model.extra_outputs": ["logits"]})
    assert isinstance(tagger, archive_tagger.Tagger) and isinstance(tagger, nerzoo.Tagger)
    assert "logits" in tagger(MARA)


def test_a_stream(zoo):
    tagger = nerzoo.Tagger.load("xy")
    stream = tagger(itertools.chain([MARA, {"words": []}], itertools.repeat(MARA)))
    assert [len(prediction["words"]) for prediction in itertools.islice(stream, 3)] == [5, 0, 5]


def test_errors(zoo):
    tagger = nerzoo.Tagger.load("xy")
    bad = {"words": [""]}
    with pytest.raises(ValueError, match="^found the sentence"):
        tagger(bad)
    assert tagger(bad, errors="yield").keys() == {"error", "index"}
    with pytest.raises(ValueError, match="^item 1: found the sentence"):
        list(tagger([MARA, bad]))
    results = list(tagger([MARA, OSError("gone"), bad], errors="yield"))
    assert results[1] == {"error": "gone", "index": 1} and results[2]["index"] == 2
    for inputs, errors, found in ((MARA, "skip", "the errors 'skip'"), (5, "raise", "5")):
        with pytest.raises(ValueError, match=f"found {re.escape(found)}, expected"):
            tagger(inputs, errors=errors)


@pytest.mark.parametrize("options", [{"device": "cuda:0"}, {"overrides": {"model.dropout": 0.1}}, {"engine": "torch"}])
def test_options_that_an_exported_tagger_does_not_have(zoo, options):
    with pytest.raises(
        ValueError, match="xy: found a device, overrides or the engine 'torch', expected none for an exported tagger"
    ):
        nerzoo.Tagger.load("xy", **options)


def test_a_damaged_model(zoo):
    with (zoo / "xy/emissions.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ValueError, match="emissions.onnx: found another content than was exported"):
        nerzoo.Tagger.load("xy")

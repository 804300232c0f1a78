"""Exported models in spaCy pipelines; archives are in `tests/inference/spacy_component_test.py`."""

import os
import subprocess
import sys

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from helpers.archives import assert_same
from helpers.paths import ROOT

from nerzoo.inference.export_onnx import export_onnx
from nerzoo.zoo.tagger import Tagger

TEXTS = ["Mara lived in Calder.", "", "Jordan  Reyes left Port Essel."]


@pytest.fixture
def nlp(zoo, monkeypatch):
    monkeypatch.setattr("nerzoo.zoo.spacy_component.DEFAULT_MODEL", "xy")
    nlp = spacy.blank("en")
    nlp.add_pipe("nerzoo")
    return nlp


def test_the_default_model_tags_as_its_tagger_does(nlp):
    docs = list(nlp.pipe(TEXTS))
    words = [[token.text for token in doc if not token.is_space] for doc in docs]
    for doc, prediction in zip(docs, Tagger.load("xy")({"words": part} for part in words), strict=True):
        probabilities = [entity["probability"] for entity in prediction["entities"]]
        assert_same(doc.spans["nerzoo"].attrs["scores"], probabilities)
        assert [ent.label_ for ent in doc.ents] == [entity["label"] for entity in prediction["entities"]]
    assert any(doc.ents for doc in docs)


def test_a_doc_is_a_document(archives, tmp_path):
    folder = export_onnx(archives("memory_ner"), tmp_path / "documents")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("nerzoo", config={"model": str(folder)})
    doc = nlp("Mara lived in Calder. Mara left Calder.")
    sentences = [{"words": [token.text for token in sentence]} for sentence in doc.sents]
    parts = Tagger.load(folder)({"sentences": sentences})["sentences"]
    probabilities = [entity["probability"] for part in parts for entity in part["entities"]]
    assert len(parts) == 2 and parts[1]["entities"]
    assert_same(list(doc.spans["nerzoo"].attrs["scores"]), probabilities)


def test_labels(nlp):
    assert nlp.get_pipe("nerzoo").labels == tuple(Tagger.load("xy").labels) and Tagger.load("xy").labels
    assert nlp.pipe_labels == {"nerzoo": Tagger.load("xy").labels}


def test_it_is_saved_with_the_pipeline(nlp, zoo, tmp_path, monkeypatch):
    expected = [doc.to_json() for doc in nlp.pipe(TEXTS)]
    nlp.to_disk(tmp_path / "saved")
    monkeypatch.setattr("nerzoo.zoo.finding.FOLDERS", [])
    saved = spacy.load(tmp_path / "saved")
    assert [doc.to_json() for doc in saved.pipe(TEXTS)] == expected
    # Children of this process have no threads of ONNX Runtime.
    assert [doc.to_json() for doc in saved.pipe(TEXTS, n_process=2)] == expected
    content = (tmp_path / "saved/nerzoo/exported.tar").read_bytes()
    (tmp_path / "saved/nerzoo/exported.tar").write_bytes(content[:5000])
    with pytest.raises(ConfigurationError, match="nerzoo: found a saved model that cannot be read|found no file"):
        spacy.load(tmp_path / "saved")("Mara")


def test_two_processes_of_a_pipeline_whose_model_has_threads():
    source = (
        "import spacy\n"
        "nlp = spacy.blank('en')\n"
        "nlp.add_pipe('nerzoo')\n"
        "docs = nlp.pipe(['Mara lived in Lisbon.'] * 4, n_process=2, batch_size=2)\n"
        "assert [[ent.text for ent in doc.ents] for doc in docs] == [['Mara', 'Lisbon']] * 4\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    # A child that deletes the session of its parent waits for its threads forever.
    subprocess.run([sys.executable, "-c", source], cwd=ROOT, env=environment, check=True, timeout=120)


def test_it_needs_no_allennlp(zoo):
    """Nor PyTorch, but spaCy imports that where it is installed."""
    source = (
        "import sys, spacy; nlp = spacy.blank('en'); nlp.add_pipe('nerzoo', config={'model': sys.argv[1]})\n"
        "assert [t.text for t in nlp('Mara lived')] == ['Mara', 'lived'] and 'allennlp' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", source, zoo / "xy"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"model": "xyz"}, "xyz: found no model of the zoo"),
        ({"annotate": "tag"}, "found annotate: 'tag' with a model of entities, expected ents or spans"),
        ({"device": "cuda:0"}, "found the device cuda:0, expected cpu"),
    ],
)
def test_errors(zoo, options, message):
    with pytest.raises(ConfigurationError, match=message):
        spacy.blank("en").add_pipe("nerzoo", config={"model": "xy", **options})


def test_a_doc_that_cannot_be_tagged(nlp, monkeypatch):
    component = nlp.get_pipe("nerzoo")
    monkeypatch.setattr(component.tagger, "results", lambda inputs: (ValueError("bad") for _ in inputs))
    with pytest.raises(ConfigurationError, match="the Doc 'Mara': bad"):
        nlp("Mara")
    handled = []
    nlp.set_error_handler(lambda name, component, docs, error: handled.append(docs))
    assert list(nlp.pipe(["Mara"])) == [] and len(handled) == 1

"""With an archive over a transformer, the commands, the server and spaCy do what they do with any other."""

import json
import os

import pytest
import spacy
from helpers.archives import assert_same
from helpers.commands import nerzoo
from helpers.main_jobs import OVER_TRANSFORMER
from helpers.paths import FIXTURES
from helpers.served import Client

from nerzoo.deploy.publish import publish
from nerzoo.deploy.server.app import make_app
from nerzoo.deploy.server.requests import Limits
from nerzoo.evaluation.calibrate import calibrate
from nerzoo.inference.tagger import Tagger

TEXTS = ["Mara Holt lived in Lindow. Austin left.", "Jordan Quill worked in Calder."]
DEV = str(FIXTURES / "people_and_places/dev.txt")


@pytest.fixture
def archive(archives):
    return archives(OVER_TRANSFORMER)


@pytest.fixture
def expected(archive):
    found = list(Tagger.load(archive, "cpu", engine="torch")(TEXTS))
    assert any(sentence["entities"] for text in found for sentence in text["sentences"])
    return found


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n\n".join(TEXTS) + "\n")
    return path


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_file_is_tagged(archive, texts, expected, tmp_path):
    nerzoo("tag", archive, texts, "--output-file", tmp_path / "tagged.jsonl")
    assert_same(lines(tmp_path / "tagged.jsonl"), expected, 1e-4)


def test_a_server_answers(archive, expected):
    client = Client(make_app(Tagger.load(archive, "cpu"), {"name": "ner"}, Limits()))
    assert_same(client.ask("/predict", [{"text": text} for text in TEXTS]).json(), expected, 1e-4)
    client.close()


def test_spacy_finds_the_same_entities(archive):
    nlp = spacy.blank("en")
    nlp.add_pipe("nerzoo", config={"model": str(archive), "device": "cpu"})
    tagger = Tagger.load(archive, "cpu")
    for doc in nlp.pipe(TEXTS):
        found = tagger({"words": [token.text for token in doc]})
        entities = [(entity["start"], entity["end"], entity["label"]) for entity in found["entities"]]
        assert [(entity.start, entity.end, entity.label_) for entity in doc.ents] == entities


def test_a_published_folder_in_8_bits_is_smaller(archive, expected, tmp_path):
    folders = [publish(archive, tmp_path / str(bits), bits=bits) for bits in (32, 8)]
    assert_same(list(Tagger.load(folders[0], "cpu")(TEXTS)), expected, 1e-4)
    found = [sentence["tags"] for text in Tagger.load(folders[1], "cpu")(TEXTS) for sentence in text["sentences"]]
    assert found == [sentence["tags"] for text in expected for sentence in text["sentences"]]
    sizes = [os.path.getsize(folder / "model.safetensors") for folder in folders]
    assert sizes[1] < sizes[0]


def test_its_temperature_is_fitted(archive, tmp_path, monkeypatch):
    # There are fewer sentences than `calibrate` asks for.
    monkeypatch.setattr("nerzoo.evaluation.calibrate._objections", lambda *args: [])
    summary = calibrate(str(archive), DEV, str(tmp_path / "calibrated.tar.gz"))
    tagger = Tagger.load(tmp_path / "calibrated.tar.gz", "cpu", engine="torch")
    assert tagger.predictor.model.head.temperature == summary["temperature"] != 1


def test_it_teaches_together_with_another_archive(archives, archive, texts, tmp_path):
    sizes = [option for size in ("hidden_size=3", "character_filters=3", "epochs=1") for option in ("--set", size)]
    nerzoo("distill", archive, archives("ner"), texts, "--student", "ner", *sizes, "-s", tmp_path / "out")
    teachers = [
        Tagger.load(path, "cpu", overrides={"model.extra_outputs": ["marginals"]})
        for path in (archive, archives("ner"))
    ]
    given = [[sentence for text in TEXTS for sentence in tagger(text)["sentences"]] for tagger in teachers]
    labelled = lines(tmp_path / "out/labelled.jsonl")
    assert len(labelled) == 3
    for sentence, *predicted in zip(labelled, *given, strict=True):
        for word, *others in zip(sentence["marginals"], *(other["marginals"] for other in predicted), strict=True):
            mean = {tag: sum(other.get(tag, 0) for other in others) / 2 for tag in word}
            assert_same(word, mean, 1e-3)

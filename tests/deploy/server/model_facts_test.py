import allennlp.version
import pytest

from nerzoo import archives
from nerzoo.deploy.server.limits import Limits
from nerzoo.deploy.server.server import model_facts


@pytest.fixture
def folder(archives, tmp_path):
    return archives("ner"), tmp_path / "published"


def test_what_is_known_of_an_archive(tagger, archives):
    facts = model_facts(archives("ner"), tagger, Limits(items=3))
    assert facts["name"] == "run" and facts["model"] == "SequenceTagger" and facts["predictor"] == "ner"
    assert facts["labels"] == ["organization", "person", "place"]
    assert facts["versions"]["AllenNLP"] == allennlp.version.VERSION
    assert facts["limits"]["items"] == 3 and facts["card"] is None
    assert str(archives("ner").parent) not in str(facts)


def test_the_card_of_a_folder(tagger, folder):
    archive, unpacked = folder
    unpacked.mkdir()
    archives.unpack(archive, unpacked)
    (unpacked / "README.md").write_text("A card.")
    facts = model_facts(unpacked, tagger, Limits())
    assert (facts["name"], facts["card"]) == ("published", "A card.")


def test_an_archive_without_a_folder_has_its_own_name(tagger, archives, monkeypatch):
    monkeypatch.chdir(archives("ner").parent)
    assert model_facts("model.tar.gz", tagger, Limits())["name"] == "model.tar.gz"

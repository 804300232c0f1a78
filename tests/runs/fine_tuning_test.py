"""Continuing an archive on other data, up to the archive of the new model."""

import json

import pytest
import torch
from allennlp.commands.train import TrainModel
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import prepare_environment
from allennlp.models import load_archive
from helpers.commands import nerzoo
from helpers.configurations import load
from helpers.paths import FIXTURES, ROOT

from nerzoo.archives import CHECKSUMS_NAME, unpack
from nerzoo.configuration.check import check_training
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.runs.train_options import fine_tuned

NEW = "Zorblax B-spell\nheals O\nMara O\nin O\nCalder O\n\n"
COLUMNS = FIXTURES / "people_and_places"


@pytest.fixture
def started(archives, tmp_path, monkeypatch):
    """Builds the training of `ner` on a file of columns, beginning with its archive."""
    monkeypatch.chdir(ROOT)

    def start(path):
        params = load("ner")
        params["train_data_path"] = params["validation_data_path"] = str(path)
        params["vocabulary"]["min_count"] = {"tokens": 1}
        params = fine_tuned(params, archives("ner"))
        check_training(params.as_dict(quiet=True))
        prepare_environment(params)
        return TrainModel.from_params(params, serialization_dir=str(tmp_path / "run"), local_rank=0).model

    return start


def test_new_types_and_new_words(started, archives, tmp_path):
    (tmp_path / "new.txt").write_text(NEW)
    model, archived = started(tmp_path / "new.txt"), load_archive(archives("ner")).model
    assert "B-spell" in model.vocab.get_token_to_index_vocabulary("labels")
    assert "B-person" not in model.vocab.get_token_to_index_vocabulary("labels")
    old = archived.vocab.get_token_to_index_vocabulary("tokens")
    new = model.vocab.get_token_to_index_vocabulary("tokens")
    assert {word: new[word] for word in old} == old and "zorblax" in new.keys() - old.keys()
    weights = {"old": archived.state_dict(), "new": model.state_dict()}
    for name, tensor in weights["old"].items():
        if not name.startswith("head."):
            assert torch.equal(weights["new"][name][: len(tensor)], tensor), name
    assert weights["new"]["head.tag_projection.weight"].shape[0] < len(weights["old"]["head.tag_projection.weight"])


def test_development_data_is_read_as_the_archive_reads(archives):
    params = load("ner")
    reader = {"type": "tagged_sentences", "corpus": "conllu", "token_indexers": {"other": {"type": "single_id"}}}
    params["validation_dataset_reader"] = reader
    found = fine_tuned(params, archives("ner")).as_dict()
    assert found["validation_dataset_reader"] == {**found["dataset_reader"], "corpus": "conllu"}


def test_the_same_types_keep_their_scores(started, archives):
    model, archived = started(COLUMNS / "train.txt"), load_archive(archives("ner")).model
    tags = archived.vocab.get_token_to_index_vocabulary("labels")
    assert model.vocab.get_token_to_index_vocabulary("labels") == tags
    for name, tensor in archived.state_dict().items():
        assert torch.equal(model.state_dict()[name][: len(tensor)], tensor), name


def test_a_vocabulary_in_another_order_is_refused(archives, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    params = fine_tuned(load("ner"), archives("ner"))
    (tmp_path / "new.txt").write_text(NEW)
    params["train_data_path"] = params["validation_data_path"] = str(tmp_path / "new.txt")
    params["vocabulary"] = {}
    message = "model.tar.gz: found other token_characters in the vocabulary than in the archive, or in"
    with pytest.raises(ConfigurationError, match=message):
        TrainModel.from_params(params, serialization_dir=str(tmp_path / "run"), local_rank=0)


def test_values_that_calibrate_has_fitted_are_left_out(archives, tmp_path):
    folder = tmp_path / "calibrated"
    unpack(archives("ner"), folder)
    (folder / CHECKSUMS_NAME).unlink()
    config = json.loads((folder / "config.json").read_text())
    fitted = {"temperature": 2.0, "min_probability": 0.9, "n_best": 3, "n_best_mass": 0.9}
    config["model"]["head"] = {"type": "projection", "extra": 1, **fitted}
    (folder / "config.json").write_text(json.dumps(config))
    assert fine_tuned(load("ner"), folder)["model"]["head"].as_dict() == {"type": "projection", "extra": 1}


def test_the_command(archives, tmp_path, monkeypatch):
    """The new archive needs the old one no longer."""
    monkeypatch.chdir(ROOT)
    (tmp_path / "new.txt").write_text(NEW)
    data = {"train_data_path": str(tmp_path / "new.txt"), "validation_data_path": str(tmp_path / "new.txt")}
    overrides = {**data, "trainer.num_epochs": 1}
    nerzoo(
        "train", "training_config/ner.jsonnet", "--from", archives("ner"), "-s", tmp_path / "run", overrides=overrides
    )
    archive = load_archive(tmp_path / "run/model.tar.gz", overrides={"model.pretrained_file": "nowhere"})
    assert "U-spell" in archive.model.vocab.get_token_to_index_vocabulary("labels")


def test_an_exported_tagger(archives, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    folder = export_onnx(archives("ner"), tmp_path / "exported")
    params = fine_tuned(load("ner"), folder)
    check_training(params.as_dict(quiet=True))
    prepare_environment(params)
    model = TrainModel.from_params(params, serialization_dir=str(tmp_path / "run"), local_rank=0).model
    for name, tensor in load_archive(archives("ner")).model.state_dict().items():
        found = model.state_dict()[name][: len(tensor)]
        torch.testing.assert_close(found, tensor, rtol=0, atol=0.02 * float(tensor.abs().max()))
    (folder / "training.json").unlink()
    with pytest.raises(ConfigurationError, match=r"exported.*training.json"):
        fine_tuned(load("ner"), folder)


def test_a_configuration_that_reads_no_corpus(archives):
    with pytest.raises(ConfigurationError, match="found --from and a configuration without dataset_reader.corpus, exp"):
        fine_tuned(load("fofe_lm"), archives("ner"))


def test_an_archive_that_is_not_there(tmp_path):
    with pytest.raises(Exception, match="nothing.tar.gz: found no"):
        fine_tuned(load("ner"), tmp_path / "nothing.tar.gz")

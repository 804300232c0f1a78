import json
from pathlib import Path

import pytest
from allennlp.commands import train
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.configurations import load, shorten
from helpers.paths import ROOT

from nerzoo.training.train_model import train_model


@pytest.fixture
def params(few_sentences):
    params = load("deptree_ner")
    shorten(params, few_sentences)
    return params


def test_nothing_is_written_where_the_configuration_does_not_fit(tmp_path):
    overrides = json.dumps({"trainer.nope": 1})
    with pytest.raises(ConfigurationError, match="found the key 'trainer.nope', which ResumableTrainer does not know"):
        train.train_model_from_file(ROOT / "training_config/deptree_ner.jsonnet", tmp_path / "run", overrides)
    assert not (tmp_path / "run").exists()


def test_a_start_that_failed_leaves_nothing(params, tmp_path):
    params["validation_data_path"] = "no_such.conllu"
    with pytest.raises(ConfigurationError, match="no_such.conllu: found no such file"):
        train_model(params.duplicate(), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    # A folder that was there stays.
    (tmp_path / "run").mkdir()
    with pytest.raises(ConfigurationError):
        train_model(params, tmp_path / "run")
    assert (tmp_path / "run/config.json").exists()


def test_a_run_that_was_killed_before_its_configuration_was_whole_begins_anew(params, tmp_path):
    (tmp_path / ".config.json.1.unfinished").touch()
    train_model(params, tmp_path, recover=True)
    assert (tmp_path / "model.tar.gz").exists() and not list(tmp_path.glob(".*"))


def test_a_folder_with_something_else_is_not_one_of_a_run_that_never_began(params, tmp_path):
    (tmp_path / ".config.json.1.unfinished").touch()
    (tmp_path / "thesis.txt").touch()
    for recover in (False, True):
        with pytest.raises(ConfigurationError, match="already exists"):
            train_model(Params(params.as_dict()), tmp_path, recover)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_link_out_of_the_folder(params, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/config.json").symlink_to(tmp_path / "outside")
    with pytest.raises(ConfigurationError, match="found a link"):
        train_model(params, tmp_path / "run", recover=True)


@pytest.mark.parametrize(
    "name, value, found",
    [
        ("train_data_path", "conllu", "an input"),
        ("test_data_path", ["conllu"], "an input"),
        ("vocabulary", {"archive": "conllu/model.tar.gz"}, "the folder of the input conllu/model.tar.gz"),
    ],
)
def test_what_the_configuration_names_is_not_removed(params, tmp_path, monkeypatch, name, value, found):
    monkeypatch.setattr(train, "train_model", lambda *_: None)
    monkeypatch.setattr("nerzoo.training.train_model.check_training", lambda _: None)
    monkeypatch.chdir(tmp_path)
    Path("conllu").mkdir()
    Path("conllu/model.tar.gz").touch()
    # That the folder has the name of a format is chance.
    train_model(params.duplicate(), "conllu", force=True)
    params[name] = value
    with pytest.raises(ConfigurationError, match=f"conllu: found {found}, expected the path of another"):
        train_model(params.duplicate(), "conllu", force=True)
    train_model(params, "conllu")


def test_a_parser_learns_from_the_training_data_alone(params, tmp_path):
    params["dataset_reader"]["parser"] = {"treebank": "dev.conllu"}
    message = "found dataset_reader.parser.treebank = 'dev.conllu', expected the train_data_path, '.*': a parser learns"
    with pytest.raises(ConfigurationError, match=message):
        train_model(params, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_parser_learns_from_the_training_data_that_overrides_name(params, tmp_path, monkeypatch):
    monkeypatch.setattr(train, "train_model", lambda params, *_: params.as_dict(quiet=True))
    params["train_data_path"] = "other.conllu"
    params["dataset_reader"]["parser"] = {"treebank": "train_data_path"}
    assert train_model(params, tmp_path / "run")["dataset_reader"]["parser"] == {"treebank": "other.conllu"}

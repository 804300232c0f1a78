import json

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer
from helpers.commands import DEPTREE_NER
from helpers.paths import ROOT

DATA = [str(ROOT / f"fixtures/people_and_places/{name}.conllu") for name in ("dev", "test")]


def _params(**overrides):
    params = Params.from_file(ROOT / DEPTREE_NER, {"trainer.num_epochs": 1, **overrides})
    params.pop("validation_data_path")
    fold = {"num_folds": 4, "fold_seed": 0, "test_fold": 2, "validation": True}
    return Params({**params.as_dict(quiet=True), "type": "cross_validation_fold", "train_data_path": DATA, **fold})


def _scores(folder):
    metrics = json.loads((folder / "metrics.json").read_text())
    return {name: value for name, value in metrics.items() if name.startswith("test_")}


def test_the_archived_weights_are_evaluated_whatever_the_trainer_ends_with(tmp_path, monkeypatch):
    train_model(_params(), str(tmp_path / "first"))
    train = GradientDescentTrainer.train

    def train_and_forget(self):
        metrics = train(self)
        with torch.no_grad():
            for parameter in self.model.parameters():
                parameter.zero_()
        return metrics

    monkeypatch.setattr(GradientDescentTrainer, "train", train_and_forget)
    train_model(_params(), str(tmp_path / "second"))
    assert _scores(tmp_path / "first")["test_loss"] > 0
    assert _scores(tmp_path / "second") == _scores(tmp_path / "first")


def test_words_of_the_test_fold_are_known_where_the_configuration_says_so(tmp_path):
    def words(folder):
        return set((tmp_path / folder / "vocabulary/tokens.txt").read_text().split("\n"))

    parts = ["train", "validation", "test"]
    train_model(_params(datasets_for_vocab_creation=parts), str(tmp_path / "all"))
    # Would end in an error if a type occurred in the test fold alone.
    train_model(_params(datasets_for_vocab_creation=parts[:2]), str(tmp_path / "some"))
    assert words("some") < words("all")


def test_readers_that_find_different_documents(tmp_path):
    reader = _params()["dataset_reader"].as_dict(quiet=True)
    params = _params(validation_dataset_reader={**reader, "max_instances": 10})
    with pytest.raises(ConfigurationError, match="validation_dataset_reader to read different documents from .*dev"):
        train_model(params, str(tmp_path / "run"))

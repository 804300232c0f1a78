"""What becomes of interrupted runs is in `tests/recover_test.py`."""

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer, Trainer
from helpers.commands import train

from nerzoo.training.checkpointers import AtomicCheckpointer
from nerzoo.training.trainers import ResumableTrainer


def test_it_is_the_default_with_a_checkpointer_that_writes_whole_files(few_sentences, tmp_path, monkeypatch):
    trainers = []
    unbroken = GradientDescentTrainer.train
    monkeypatch.setattr(GradientDescentTrainer, "train", lambda trainer: trainers.append(trainer) or unbroken(trainer))
    data = {"train_data_path": str(few_sentences), "validation_data_path": str(few_sentences)}
    train(tmp_path / "run", **data)
    train(tmp_path / "without", **data, **{"trainer.checkpointer": None})
    train(tmp_path / "allennlp", **data, **{"trainer.type": "gradient_descent"})
    assert [type(trainer) for trainer in trainers] == [ResumableTrainer, ResumableTrainer, GradientDescentTrainer]
    assert isinstance(trainers[0]._checkpointer, AtomicCheckpointer)
    assert not list((tmp_path / "without").glob("*state*"))


def test_a_misspelled_key_is_an_error():
    extras = {"model": None, "serialization_dir": "", "data_loader": None, "local_rank": 0}
    with pytest.raises(ConfigurationError, match="num_epoch"):
        Trainer.from_params(Params({"num_epoch": 3}), **extras)

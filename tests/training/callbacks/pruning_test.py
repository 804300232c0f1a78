"""The callback `pruning`, in a study whose other trials are known."""

from types import SimpleNamespace

import pytest
from optuna import TrialPruned, create_study
from optuna.trial import TrialState, create_trial

from nerzoo.training.callbacks.pruning import Pruning

TRAINER = SimpleNamespace(_num_epochs=10)


@pytest.fixture
def study(tmp_path):
    """A study with five complete trials, whose median is 0.3 after each epoch, and a sixth one that runs."""
    study = create_study(storage=f"sqlite:///{tmp_path}/study.db", direction="maximize")
    for number in range(5):
        values = {epoch: number / 10 + 0.1 for epoch in range(10)}
        study.add_trial(create_trial(value=0.5, intermediate_values=values, state=TrialState.COMPLETE))
    study.ask()
    return study


def started(tmp_path, trial=5):
    callback = Pruning(str(tmp_path), str(tmp_path / "study.db"), trial, "f1")
    callback.on_start(TRAINER)
    return callback


def test_a_trial_below_the_median_ends_after_a_fifth_of_the_epochs(study, tmp_path):
    callback = started(tmp_path)
    for epoch in (0, 1):
        callback.on_epoch(TRAINER, {"validation_f1": 0.2}, epoch)
    with pytest.raises(TrialPruned, match="epoch 2"):
        callback.on_epoch(TRAINER, {"validation_f1": 0.2}, 2)
    assert study.trials[5].intermediate_values == {0: 0.2, 1: 0.2, 2: 0.2}


def test_a_good_trial_goes_on_also_after_an_interruption(study, tmp_path):
    values = [0.1, 0.1, 0.35, 0.1, 0.1]
    for epoch, value in enumerate(values):
        started(tmp_path).on_epoch(TRAINER, {"validation_f1": value, "validation_loss": 9.0}, epoch)
    assert study.trials[5].intermediate_values == dict(enumerate(values))

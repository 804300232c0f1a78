from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.training import TrainerCallback
from helpers.configurations import render
from helpers.interrupted_training import assert_resumes_to_the_same_numbers
from helpers.short_training import ShortTraining

FALLING = {"type": "dropout_decay", "initial": 0.4, "final": 0.1}
# Three batches an epoch.
TRAIN = ShortTraining(
    "fofe_ner",
    {
        "train_data_path": "fixtures/people_and_places/dev.conllu",
        "trainer.num_epochs": 4,
        "trainer.callbacks": ["reproducible", FALLING],
    },
)


class Recorder(TrainerCallback):
    """Keeps the rates of dropout and the learning rates of each batch."""

    def __init__(self):
        super().__init__(None)
        self.dropout, self.learning_rates = [], []

    def on_batch(self, trainer, *args, is_training, **kwargs):
        if is_training:
            rates = {module.p for module in [trainer.model.dropout, *trainer.model.feedforward._dropout]}
            self.dropout.append(rates)
            self.learning_rates.append([group["lr"] for group in trainer.optimizer.param_groups])


def test_falls_by_the_same_factor_every_epoch(tmp_path):
    training = TRAIN.build(tmp_path)
    recorder = Recorder()
    training.trainer._callbacks.append(recorder)
    training.trainer.train()
    expected = [0.4 * 0.25 ** (epoch / 4) for epoch in range(4) for _ in range(3)]
    assert [rate for (rate,) in recorder.dropout] == pytest.approx(expected)
    assert training.model.dropout.p == pytest.approx(0.1)


@pytest.mark.parametrize("killed_in", [1, 3])
def test_an_interrupted_run_resumes_to_the_same_numbers(tmp_path, monkeypatch, killed_in):
    assert_resumes_to_the_same_numbers(TRAIN, tmp_path, monkeypatch, killed_in)


def test_schedules_of_a_resumed_run_go_on(tmp_path, monkeypatch):
    """Both that of dropout and that of the learning rates, which fall to a sixteenth in the epochs of the file."""
    recorders = [Recorder(), Recorder()]
    unbroken = TRAIN.build(tmp_path)
    unbroken.trainer._callbacks.append(recorders[0])
    unbroken.trainer.train()
    for state in ("model", "training"):
        Path(tmp_path, f"{state}_state_e4_b0.th").unlink()
    resumed = TRAIN.build(tmp_path)
    resumed.trainer._callbacks.append(recorders[1])
    resumed.trainer.train()
    # The last epoch again.
    assert len(recorders[1].dropout) == 3
    assert recorders[1].dropout == recorders[0].dropout[-3:]
    assert recorders[1].learning_rates == recorders[0].learning_rates[-3:]
    scheduler = unbroken.trainer._learning_rate_scheduler.lr_scheduler
    factor = 16 ** (-4 / render("fofe_ner")["trainer"]["num_epochs"])
    assert scheduler.get_last_lr() == pytest.approx([factor * rate for rate in recorders[0].learning_rates[0]])


def test_what_is_wrong_with_a_configuration(tmp_path):
    overrides = {"trainer.callbacks": [FALLING]}
    training = TRAIN.build(tmp_path / "none", **overrides)
    training.model.dropout = training.model.feedforward = None
    with pytest.raises(ConfigurationError, match="dropout_decay: found a model without dropout, expected one with"):
        training.trainer._callbacks[0].on_start(training.trainer)
    for name, rate in {"zero": 0.0, "one": 1.5}.items():
        with pytest.raises(ConfigurationError, match=f"found a dropout of {rate:g}, expected one between 0 and 1"):
            TRAIN.build(tmp_path / name, **{"trainer.callbacks": [{**FALLING, "final": rate}]})

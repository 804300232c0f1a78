import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.training import TrainerCallback
from helpers.interrupted_training import assert_resumes_to_the_same_numbers, numbers
from helpers.short_training import ShortTraining

SAMPLING = {"type": "scheduled_sampling"}
TRAIN = ShortTraining(
    "seq2biseq/small/slots",
    {
        "train_data_path": "fixtures/slot_filling/dev",
        "trainer.num_epochs": 4,
        "trainer.optimizer": {"type": "adam", "lr": 5e-3},
        "trainer.callbacks": ["reproducible", SAMPLING],
        "data_loader.batch_sampler.batch_size": 20,
    },
)


class Recorder(TrainerCallback):
    """Keeps the ratio of each epoch's batches."""

    def __init__(self):
        super().__init__(None)
        self.ratios = {}

    def on_batch(self, trainer, batch_inputs, batch_outputs, batch_metrics, epoch, batch_number, is_training, **kwargs):
        if is_training:
            self.ratios.setdefault(epoch, set()).add(trainer.model.head.scheduled_sampling_ratio)


def ratios(folder, **overrides):
    """The ratio in each epoch."""
    training, recorder = TRAIN.build(folder, **overrides), Recorder()
    training.trainer._callbacks.append(recorder)
    training.trainer.train()
    assert all(len(of_epoch) == 1 for of_epoch in recorder.ratios.values())
    return [ratio for (ratio,) in recorder.ratios.values()]


def test_rises_by_the_same_amount_every_epoch(tmp_path):
    assert ratios(tmp_path / "all") == pytest.approx([0, 1 / 3, 2 / 3, 1])
    some = {**SAMPLING, "initial": 0.2, "final": 0.5}
    assert ratios(tmp_path / "some", **{"trainer.callbacks": [some]}) == pytest.approx([0.2, 0.3, 0.4, 0.5])
    assert ratios(tmp_path / "one", **{"trainer.callbacks": [some], "trainer.num_epochs": 1}) == [0.2]


def test_the_schedule_of_a_resumed_run_goes_on(tmp_path):
    ratios(tmp_path)
    for state in ("model", "training"):
        Path(tmp_path, f"{state}_state_e4_b0.th").unlink()
    assert ratios(tmp_path) == [1.0]


def test_runs_are_reproducible_and_an_interrupted_one_resumes_to_the_same_numbers(tmp_path, monkeypatch):
    assert_resumes_to_the_same_numbers(TRAIN, tmp_path, monkeypatch, 2)
    without = TRAIN(tmp_path / "without", **{"trainer.callbacks": ["reproducible"]})
    unbroken = json.loads((tmp_path / "unbroken/metrics.json").read_text())
    assert numbers(without)["training_loss"] != pytest.approx(numbers(unbroken)["training_loss"])


def test_what_is_wrong_with_a_configuration(tmp_path):
    overrides = {"trainer.callbacks": [SAMPLING], "model.head.forward_only": True}
    with pytest.raises(ConfigurationError, match="found a model without scheduled_sampling_ratio, expected the head"):
        TRAIN.build(tmp_path / "one", **overrides).trainer.train()
    for name, ratio in {"below": -0.5, "above": 1.5}.items():
        with pytest.raises(ConfigurationError, match=f"probability {ratio:g}, expected a number from 0 to 1"):
            TRAIN.build(tmp_path / name, **{"trainer.callbacks": [{**SAMPLING, "final": ratio}]})

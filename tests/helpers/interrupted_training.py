import pytest
from allennlp.training import GradientDescentTrainer


def assert_resumes_to_the_same_numbers(train, folder, monkeypatch, killed_in):
    """
    Asserts that training by `train(folder, *arguments)`, which returns the metrics, ends with the same numbers if it is
    interrupted in the epoch `killed_in` and resumed.
    """

    def batch_outputs(self, batch, for_training, unbroken=GradientDescentTrainer.batch_outputs):
        if self._epochs_completed == killed_in and self._batches_in_epoch_completed == 1:
            raise KeyboardInterrupt
        return unbroken(self, batch, for_training)

    expected = numbers(train(folder / "unbroken"))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(GradientDescentTrainer, "batch_outputs", batch_outputs)
        train(folder / "run")
    assert not (folder / "run/metrics.json").exists()
    assert numbers(train(folder / "run", "--recover")) == pytest.approx(expected, rel=1e-12)


def numbers(metrics):
    """Returns all metrics except for time and memory."""
    return {name: value for name, value in metrics.items() if "duration" not in name and "memory" not in name}

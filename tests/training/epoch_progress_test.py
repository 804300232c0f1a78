import torch
from allennlp.training.metrics import Average, CategoricalAccuracy, Metric

from nerzoo.training.resuming import EpochProgress


class Kinds(Metric):
    """Counts by kind."""

    def __init__(self):
        self.counts, self.names, self.function = {"a": 0}, [], print

    def get_metric(self, reset=False):
        return self.counts


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.accuracy, self.part = CategoricalAccuracy(), torch.nn.Linear(1, 1)
        self.part.average, self.part.kinds = Average(), Kinds()

    def get_metrics(self, reset=False):
        return {"accuracy": self.accuracy.get_metric(reset)}


class Trainer:
    def __init__(self):
        self.model = Model()


def progress(trainer, state=None):
    callback = EpochProgress("")
    if state is not None:
        callback.load_state_dict(state)
    callback.on_start(trainer)
    return callback


def batch(callback, trainer, number, metrics, is_training=True):
    callback.on_batch(trainer, [], [], metrics, 0, number, is_training)


def saved(state, path):
    torch.save(state, path)
    return torch.load(path)


def test_an_epoch_goes_on_in_its_middle(tmp_path):
    trainer = Trainer()
    callback = progress(trainer)
    trainer.model.accuracy(torch.eye(4), torch.tensor([0, 1, 2, 0]))
    trainer.model.part.average(3.0)
    trainer.model.part.kinds.counts["a"] = 5
    # The means of the losses 3 and 6.
    batch(callback, trainer, 1, {"loss": 3.0, "reg_loss": 1.0})
    batch(callback, trainer, 2, {"loss": 4.5, "reg_loss": 1.0})
    state = saved(callback.state_dict(), tmp_path / "state.th")

    resumed = Trainer()
    callback = progress(resumed, state)
    assert resumed.model.part.average.get_metric() == 3.0
    assert resumed.model.part.kinds.counts == {"a": 5} and resumed.model.part.kinds.function is print
    # Of all three batches, as AllenNLP divides the loss 9 of the third one.
    batch(callback, resumed, 3, {"loss": 9 / 3, "reg_loss": 4 / 3, "accuracy": 0.5})
    assert callback.state_dict()["sums"] == {"loss": 18.0, "reg_loss": 6.0}
    assert callback.complete({"loss": 3.0, "reg_loss": 4 / 3}, 3) == {"loss": 6.0, "reg_loss": 2.0}
    # Validation has no share in them.
    batch(callback, resumed, 1, {"loss": 100.0}, is_training=False)
    state = saved(callback.state_dict(), tmp_path / "state.th")
    assert progress(Trainer(), state).complete({}, 3) == {"loss": 6.0, "reg_loss": 2.0}
    callback.on_epoch(resumed, {}, 0)
    assert callback.complete({"loss": 1.0}, 3) == {"loss": 1.0}


def test_a_checkpoint_after_the_last_batch():
    trainer = Trainer()
    callback = progress(trainer)
    trainer.model.accuracy(torch.eye(4), torch.tensor([0, 1, 2, 0]))
    batch(callback, trainer, 1, {"loss": 3.0})
    resumed = Trainer()
    assert progress(resumed, callback.state_dict()).complete({}, 1) == {"loss": 3.0, "accuracy": 0.75}

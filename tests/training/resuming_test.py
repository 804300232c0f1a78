import os
import resource
import signal
import threading

import pytest
import torch
from allennlp.common import Params
from allennlp.training import Checkpointer
from allennlp.training.metrics import Average, CategoricalAccuracy, Metric
from allennlp.training.trainer import TrainerCheckpoint

from nerzoo.training.resuming import EXIT_CODE, AtomicCheckpointer, EpochProgress, LossScale, Terminated, Termination


class OfEpoch:
    """What a checkpointer asks of a trainer."""

    def __init__(self, epochs, batches=0, weight=0.0):
        training = {"epochs_completed": epochs, "batches_in_epoch_completed": batches, "metric_tracker": {}}
        self.state = TrainerCheckpoint({"weight": torch.full((3,), weight)}, training)

    def get_checkpoint_state(self):
        return self.state


def names(folder):
    return sorted(path.name for path in folder.glob("model_state*"))


def test_it_is_the_default(tmp_path):
    params = Params({"save_every_num_batches": 2})
    assert isinstance(Checkpointer.from_params(params, serialization_dir=str(tmp_path)), AtomicCheckpointer)
    assert Checkpointer.by_name("atomic") is AtomicCheckpointer


def test_the_last_two_are_kept_and_the_newest_is_loaded(tmp_path, capsys):
    checkpointer = AtomicCheckpointer(tmp_path)
    assert checkpointer.load_checkpoint() is None
    for epochs, batches in ((1, 0), (1, 7), (2, 0), (10, 0)):
        checkpointer.save_checkpoint(OfEpoch(epochs, batches, weight=float(epochs)))
    assert names(tmp_path) == ["model_state_e10_b0.th", "model_state_e2_b0.th"]
    assert checkpointer.load_checkpoint().model_state["weight"].tolist() == [10.0] * 3
    said = f"recovered from {tmp_path}/model_state_e10_b0.th, after 10 epochs and 0 batches\n"
    assert capsys.readouterr().out == said


@pytest.fixture
def two(tmp_path):
    """A checkpointer with two checkpoints, whose weights are their epochs."""
    checkpointer = AtomicCheckpointer(tmp_path)
    for epochs in (1, 2):
        checkpointer.save_checkpoint(OfEpoch(epochs, weight=float(epochs)))
    return checkpointer


def loaded(checkpointer):
    return checkpointer.load_checkpoint().model_state["weight"].tolist()


def test_a_checkpoint_of_the_same_place_is_replaced(two):
    two.save_checkpoint(OfEpoch(2, weight=7.0))
    assert loaded(two) == [7.0] * 3


@pytest.mark.parametrize("size", range(0, 1500, 93))
@pytest.mark.parametrize("part", ["model", "training"])
def test_one_that_is_cut_off_anywhere_is_set_aside(part, size, two, tmp_path):
    path = tmp_path / f"{part}_state_e2_b0.th"
    path.write_bytes(path.read_bytes()[: min(size, path.stat().st_size - 1)])
    assert loaded(two) == [1.0] * 3
    assert names(tmp_path) == ["model_state_e1_b0.th", "model_state_e2_b0.th.broken"]
    # It does not count as one of the last two.
    two.save_checkpoint(OfEpoch(2))
    assert names(tmp_path) == ["model_state_e1_b0.th", "model_state_e2_b0.th", "model_state_e2_b0.th.broken"]


def test_a_failure_between_the_two_files_leaves_nothing_to_set_aside(two, tmp_path, monkeypatch):
    save, paths = torch.save, []

    def fail_at_the_second(state, path):
        paths.append(path)
        if len(paths) == 2:
            raise OSError("No space left on device")
        save(state, path)

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", fail_at_the_second)
        with pytest.raises(OSError, match="No space left"):
            two.save_checkpoint(OfEpoch(3))
    assert loaded(two) == [2.0] * 3
    assert not list(tmp_path.glob("*.broken"))


@pytest.mark.parametrize("size", [10, 700, 1400])
def test_a_checkpoint_that_is_too_large(size, two, tmp_path):
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(OSError, match=f"File too large: '{tmp_path}/(model|training)_state_e3_b0.th'"):
            two.save_checkpoint(OfEpoch(3))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert loaded(two) == [2.0] * 3


def test_one_without_the_state_of_its_training(two, tmp_path):
    (tmp_path / "training_state_e2_b0.th").unlink()
    assert loaded(two) == [1.0] * 3


def test_another_process_of_a_distributed_run_reads_and_leaves_all_as_it_is(two, tmp_path, capsys):
    left = ["model_state_e2_b0.th", ".model_state_e2_b0.th.0.unfinished"]
    for name in left:
        (tmp_path / name).write_bytes(b"")
    two._rank = 1
    of_another_process = OfEpoch(3)
    of_another_process.state = None
    two.save_checkpoint(of_another_process)
    assert loaded(two) == [1.0] * 3
    assert all((tmp_path / name).exists() for name in left) and not capsys.readouterr().out


def terminate():
    os.kill(os.getpid(), signal.SIGTERM)


def test_before_the_first_batch_it_ends_at_once():
    with pytest.raises(SystemExit) as end, Termination("").listening():
        terminate()
        pytest.fail("not reached")
    assert end.value.code == EXIT_CODE == 143


def test_within_a_batch_it_ends_after_it():
    before, reached = signal.getsignal(signal.SIGTERM), []
    termination = Termination("")
    with pytest.raises(Terminated), termination.listening():
        termination.before_batch()
        termination.on_batch()
        terminate()
        reached.append("the rest of the batch")
        termination.on_batch()
        pytest.fail("not reached")
    assert reached and signal.getsignal(signal.SIGTERM) is before


def test_after_the_last_batch_it_ends_when_all_is_saved():
    termination, reached = Termination(""), []
    with pytest.raises(SystemExit) as end, termination.listening():
        termination.before_batch()
        terminate()
        reached.append("saved")
    assert reached and end.value.code == EXIT_CODE


def test_other_threads_cannot_listen():
    reached = []

    def train():
        with Termination("").listening():
            reached.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=train)
    thread.start()
    thread.join()
    assert reached == [signal.getsignal(signal.SIGTERM)]


def test_a_resumed_run_has_the_scale_that_it_had():
    # The second of two finite steps doubles the scale; one of them is before the checkpoint, one after it.
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    step(scaler)
    state = LossScale("run", scaler).state_dict()
    resumed = torch.amp.GradScaler("cpu", growth_interval=2)
    LossScale("run", resumed).load_state_dict(state)
    assert resumed.get_scale() == 8.0
    step(resumed)
    assert resumed.get_scale() == 16.0


@pytest.mark.parametrize("scaler", [None, torch.amp.GradScaler("cpu", init_scale=4.0)])
def test_runs_in_full_precision_have_none(scaler):
    assert LossScale("run", None).state_dict() == {}
    LossScale("run", scaler).load_state_dict({})
    assert scaler is None or scaler.get_scale() == 4.0
    LossScale("run", None).load_state_dict({"scale": 2.0})


def step(scaler):
    parameter = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    scaler.scale(parameter.sum()).backward()
    scaler.step(optimizer)
    scaler.update()


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

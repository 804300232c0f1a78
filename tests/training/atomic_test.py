import resource
import signal

import pytest
import torch
from allennlp.common import Params
from allennlp.training import Checkpointer
from allennlp.training.trainer import TrainerCheckpoint

from nerzoo.training.resuming import AtomicCheckpointer


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

"""A training run that ends in its midst and goes on with `--recover` gives what an unbroken one does."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import tarfile
from pathlib import Path

import pytest
import torch
from allennlp.commands import train as train_command
from allennlp.training import gradient_descent_trainer
from helpers.commands import DEPTREE_NER, train
from helpers.interrupted_training import numbers
from helpers.killed_run import run_until_killed
from helpers.paths import FIXTURES

from nerzoo import files

# The trainer of deptree_ner_paper.jsonnet, on the fixture. The first epoch is the best one.
SMALL = {
    "dataset_reader.parser": None,
    "trainer.num_epochs": 2,
    "data_loader.batch_sampler.batch_size": 4,
    "trainer.optimizer": {"type": "sgd", "lr": 0.05, "momentum": 0.9},
    "trainer.learning_rate_scheduler": {"type": "cosine", "t_initial": 2, "t_mul": 2},
    "trainer.validation_metric": "+loss",
}
# config.json and the vocabulary; of each epoch its metrics, the state of the trainer and of the model; of
# the best one the weights; metrics.json and the archive.
WRITES = 2 + 2 * 3 + 1 + 2


class Killed(BaseException):
    """What no process cleans up after."""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "some.conllu"
    sentences = (FIXTURES / "people_and_places/train.conllu").read_text().split("\n\n")
    path.write_text("\n\n".join(sentences[:20]) + "\n\n")
    return {"train_data_path": str(path), "validation_data_path": str(path)}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory, data):
    """The metrics of a run without interruption, and the weights in its archive."""
    return outcome(tmp_path_factory.mktemp("unbroken"), **data, **SMALL)


def outcome(folder, *args, **overrides):
    metrics = numbers(train(folder, *args, **overrides))
    with tarfile.open(folder / "model.tar.gz") as archive:
        return metrics, torch.load(archive.extractfile("weights.th"))


def assert_same(found, expected):
    assert found[0] == pytest.approx(expected[0], rel=1e-12)
    assert found[1].keys() == expected[1].keys()
    assert all(torch.equal(found[1][name], expected[1][name]) for name in expected[1])


def kill_at(write, monkeypatch):
    """Has the process killed when a number of files are written and one is cut off; returns the number of writes."""
    count = 0

    def counted(do, spoil):
        def do_unless_killed(source, target, *args):
            nonlocal count
            count += 1
            if count == write:
                spoil(Path(source), Path(target))
                raise Killed
            return do(source, target, *args)

        return do_unless_killed

    def cut_off(source, target):
        if source.is_file():
            os.truncate(source, source.stat().st_size // 2)

    # AllenNLP removes the best weights before it links those of the checkpoint to their name.
    link = counted(gradient_descent_trainer.hardlink_or_copy, lambda source, target: None)
    monkeypatch.setattr(gradient_descent_trainer, "hardlink_or_copy", link)
    monkeypatch.setattr(files.os, "replace", counted(os.replace, cut_off))
    monkeypatch.setattr(files, "_remove", lambda path: None)
    return lambda: count


@pytest.mark.parametrize("write", range(1, WRITES + 1))
def test_a_run_that_is_killed_at_a_write(write, unbroken, data, tmp_path):
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        kill_at(write, patch)
        train(tmp_path / "run", **data, **SMALL)
    # The run goes on in another folder, as it does after a move of a disk.
    os.rename(tmp_path / "run", tmp_path / "moved")
    assert_same(outcome(tmp_path / "moved", "--recover", **data, **SMALL), unbroken)
    assert not list((tmp_path / "moved").glob(files.UNFINISHED))


def test_these_are_all_writes(data, tmp_path, monkeypatch):
    written = kill_at(0, monkeypatch)
    train(tmp_path / "run", **data, **SMALL)
    assert written() == WRITES


@pytest.mark.parametrize("cut_off", ["model", "training", "training of all"])
def test_a_checkpoint_that_cannot_be_read_is_set_aside(cut_off, unbroken, data, tmp_path, capsys):
    folder = tmp_path / "run"
    train(folder, **data, **SMALL)
    part, _, of_all = cut_off.partition(" ")
    checkpoints = sorted(folder.glob(f"{part}_state_*.th"))
    for path in checkpoints if of_all else checkpoints[-1:]:
        os.truncate(path, path.stat().st_size // 2)
    assert_same(outcome(folder, "--recover", **data, **SMALL), unbroken)
    said = capsys.readouterr().out
    assert f"{folder}/model_state_e2_b0.th: found a checkpoint that cannot be read" in said
    found = [f"recovered from {folder}/model_state_e1_b0.th, after 1 epochs and 0 batches"] * (not of_all)
    assert [line for line in said.splitlines() if line.startswith("recovered")] == found
    assert (folder / f"{checkpoints[-1].name}.broken").exists() and checkpoints[-1].exists()


def test_a_run_whose_patience_is_at_an_end_trains_no_further(data, tmp_path):
    patient = {**SMALL, **data, "trainer.num_epochs": 9, "trainer.patience": 1}
    expected = outcome(tmp_path / "run", **patient)
    (tmp_path / "run/model.tar.gz").unlink()
    assert_same(outcome(tmp_path / "run", "--recover", **patient), expected)
    assert expected[0]["epoch"] == 1


def test_moving_averages_go_on(data, tmp_path):
    averaged = {**SMALL, **data, "trainer.num_epochs": 3, "trainer.moving_average": {"type": "exponential"}}
    expected = outcome(tmp_path / "unbroken", **averaged)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        # The best weights, which are averages, of the first epoch.
        kill_at(6, patch)
        train(tmp_path / "run", **averaged)
    assert (tmp_path / "run/model_state_e1_b0.th").exists() and not (tmp_path / "run/best.th").exists()
    assert_same(outcome(tmp_path / "run", "--recover", **averaged), expected)


@pytest.mark.parametrize(
    ("checkpointer", "last_checkpoint"),
    [
        ({}, "training_state_e1_b0.th"),
        ({"trainer.checkpointer": {"save_every_num_batches": 2}}, "training_state_e1_b2.th"),
    ],
    ids=["from the start of the epoch", "from the middle of the epoch"],
)
def test_sigkill(checkpointer, last_checkpoint, unbroken, data, tmp_path):
    overrides = {**data, **SMALL, **checkpointer}
    folder = tmp_path / "run"
    arguments = ["train", DEPTREE_NER, "--serialization-dir", folder]
    assert run_until_killed(*arguments, overrides=overrides, epoch=1, batch=3) == -signal.SIGKILL
    assert (folder / last_checkpoint).exists() and not (folder / "metrics.json").exists()
    assert_same(outcome(folder, "--recover", **overrides), unbroken)


@pytest.mark.parametrize(
    ("batch", "in_training", "last_checkpoint"),
    [(2, True, "e1_b3"), (4, True, "e1_b5"), (5, False, "e1_b5")],
    ids=["in an epoch", "in its last batch", "in validation"],
)
def test_sigterm_ends_a_run_with_a_checkpoint(batch, in_training, last_checkpoint, unbroken, data, tmp_path):
    folder = tmp_path / "run"
    overrides = {**data, **SMALL}
    arguments = ["train", DEPTREE_NER, "--serialization-dir", folder]
    place = {"epoch": 1, "batch": batch, "in_training": in_training}
    assert run_until_killed(*arguments, overrides=overrides, by=signal.SIGTERM, **place) == 128 + signal.SIGTERM
    assert (folder / f"training_state_{last_checkpoint}.th").exists() and not (folder / "model.tar.gz").exists()
    assert_same(outcome(folder, "--recover", **overrides), unbroken)


@pytest.mark.parametrize("kilobytes", [0, 8, 1000, 4000])
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
def test_a_full_disk(kilobytes, unbroken, data, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    size = max(kilobytes, 4)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("no disks can be made here")
    try:
        (disk / "other").write_bytes(bytes(1024 * (size - kilobytes)))
        with pytest.raises(OSError, match="No space left on device"):
            train(disk / "run", **data, **SMALL)
        shutil.copytree(disk / "run", tmp_path / "run")
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
    recover = ["--recover"] * any((tmp_path / "run").iterdir())
    assert_same(outcome(tmp_path / "run", *recover, **data, **SMALL), unbroken)


@pytest.mark.parametrize("size", [10, 3000, 10**6])
def test_files_of_a_limited_size(size, unbroken, data, tmp_path):
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(OSError, match=f"File too large: '{tmp_path}/run"):
            train(tmp_path / "run", **data, **SMALL)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    recover = ["--recover"] * any((tmp_path / "run").iterdir())
    assert_same(outcome(tmp_path / "run", *recover, **data, **SMALL), unbroken)


def test_an_archive_that_cannot_be_written_leaves_the_old_one(data, tmp_path, monkeypatch):
    train(tmp_path / "run", **data, **SMALL)
    before = (tmp_path / "run/model.tar.gz").read_bytes()

    def full(self, *args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left"):
        patch.setattr(tarfile.TarFile, "add", full)
        train_command.archive_model(tmp_path / "run")
    assert (tmp_path / "run/model.tar.gz").read_bytes() == before
    train_command.archive_model(tmp_path / "run", archive_path=tmp_path / "another.tar.gz")
    assert (tmp_path / "another.tar.gz").exists()

"""A training run that is killed and resumed with `--recover` gives the numbers of an unbroken one."""

import json
import signal
import subprocess
import sys

import pytest
from command_test import CONFIG, ROOT, train

# The trainer of deptree_ner_paper.jsonnet, on the fixture.
PAPER_TRAINER = {
    "trainer.num_epochs": 3,
    "trainer.optimizer": {"type": "sgd", "lr": 0.05, "momentum": 0.9},
    "trainer.learning_rate_scheduler": {"type": "cosine", "t_initial": 2, "t_mul": 2},
}

# Runs its arguments as an allennlp command, which gets no chance to clean up after six batches of the second epoch.
KILLED_RUN = """
import os, signal
from allennlp.commands import main
from allennlp.training import GradientDescentTrainer

def batch_outputs(self, batch, for_training, unbroken=GradientDescentTrainer.batch_outputs):
    if self._epochs_completed == 1 and self._batches_in_epoch_completed == 6:
        os.kill(os.getpid(), signal.SIGKILL)
    return unbroken(self, batch, for_training)

GradientDescentTrainer.batch_outputs = batch_outputs
main()
"""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    return _numbers(train(tmp_path_factory.mktemp("unbroken"), **PAPER_TRAINER))


@pytest.mark.parametrize(
    ("checkpointer", "last_checkpoint"),
    [
        ({}, "training_state_e1_b0.th"),
        ({"trainer.checkpointer": {"save_every_num_batches": 4}}, "training_state_e1_b4.th"),
    ],
    ids=["from the start of the epoch", "from the middle of the epoch"],
)
def test_a_killed_run_resumes_to_the_same_numbers(unbroken, tmp_path, checkpointer, last_checkpoint):
    overrides = {**PAPER_TRAINER, **checkpointer}
    folder = tmp_path / "run"
    command = [sys.executable, "-c", KILLED_RUN, "train", CONFIG, "--serialization-dir", str(folder)]
    command += ["--include-package", "nerzoo", "--overrides", json.dumps(overrides)]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (folder / last_checkpoint).exists() and not (folder / "metrics.json").exists()
    assert _numbers(train(folder, "--recover", **overrides)) == pytest.approx(unbroken, rel=1e-12)


def _numbers(metrics):
    """All that is not a matter of time and memory."""
    return {name: value for name, value in metrics.items() if "duration" not in name and "memory" not in name}

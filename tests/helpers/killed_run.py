"""A run that is killed, as if the machine failed."""

import os
import signal

import pytest
from allennlp.training import GradientDescentTrainer
from helpers.commands import allennlp
from helpers.processes import run_in_new_processes
from torch.multiprocessing.spawn import ProcessExitedException


def run_until_killed(*args, overrides, epoch, batch=0, folder="", by=signal.SIGKILL, in_training=True):
    """
    Runs `allennlp ARGS` in a new process, which receives a signal, by default SIGKILL, during the training whose
    serialisation directory ends in `folder`: before batch `batch` of epoch `epoch`, both counted from 0. With
    `in_training=False`, the signal comes before the first batch of the validation after that many batches. Returns the
    exit code of the process.
    """
    with pytest.raises(ProcessExitedException) as error:
        run_in_new_processes(_run, (args, overrides, (epoch, batch, in_training), folder, by))
    return error.value.exit_code


def _run(rank, args, overrides, place, folder, by):
    def batch_outputs(self, batch, for_training, unbroken=GradientDescentTrainer.batch_outputs):
        is_there = self._serialization_dir.endswith(folder)
        if is_there and (self._epochs_completed, self._batches_in_epoch_completed, for_training) == place:
            os.kill(os.getpid(), by)
        return unbroken(self, batch, for_training)

    GradientDescentTrainer.batch_outputs = batch_outputs
    allennlp(*args, overrides=overrides)

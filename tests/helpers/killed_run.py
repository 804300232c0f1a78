"""A run that is killed, as by a machine that breaks down."""

import os
import signal

import pytest
from allennlp.training import GradientDescentTrainer
from helpers.commands import allennlp
from helpers.processes import run_in_new_processes
from torch.multiprocessing.spawn import ProcessExitedException


def run_until_killed(*args, overrides, epoch, batch=0, folder=""):
    """
    Runs `allennlp ARGS` in a new process that is killed, without a chance to clean up, before batch `batch` of epoch
    `epoch`, both counted from 0, of the training whose serialisation directory ends in `folder`.
    """
    with pytest.raises(ProcessExitedException, match="SIGKILL"):
        run_in_new_processes(_run, (args, overrides, epoch, batch, folder))


def _run(rank, args, overrides, epoch, batch, folder):
    def batch_outputs(self, *arguments, unbroken=GradientDescentTrainer.batch_outputs, **keywords):
        is_there = self._serialization_dir.endswith(folder)
        if is_there and (self._epochs_completed, self._batches_in_epoch_completed) == (epoch, batch):
            os.kill(os.getpid(), signal.SIGKILL)
        return unbroken(self, *arguments, **keywords)

    GradientDescentTrainer.batch_outputs = batch_outputs
    allennlp(*args, overrides=overrides)

"""Processes that a test starts."""

import functools
import multiprocessing
import os
from multiprocessing import forkserver

import pytest
from allennlp.common.testing.distributed_test import init_process
from allennlp.common.util import find_open_port
from helpers.paths import ROOT
from torch.multiprocessing import start_processes


def run_in_two_processes(function, *args):
    """
    Runs `function(rank, world_size, device, *args)` in two processes on CPUs that form one distributed run. AllenNLP's
    `run_distributed_test` does the same on a fixed port, which another test may use at the same time.
    """
    arguments = (2, [-1, -1], function, args, None, "127.0.0.1", find_open_port())
    start_processes(init_process, arguments, nprocs=2, start_method="fork")


@functools.cache
def _ready_for_commands():
    """
    Starts, once, the process that `run_in_new_processes` forks. It has imported the modules of AllenNLP's commands,
    which takes seconds, and has computed nothing.
    """
    multiprocessing.set_forkserver_preload(["nerzoo", "allennlp.commands", "allennlp_models"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        forkserver.ensure_running()


def run_in_new_processes(function, args=(), nprocs=1, join=True, daemon=False):
    """
    Runs `function(rank, *args)` like `torch.multiprocessing.spawn`, in processes that share nothing with this one.
    Raises `ProcessRaisedException` with the traceback if one of them raises, and `ProcessExitedException` if one is
    killed.
    """
    _ready_for_commands()
    return start_processes(function, args, nprocs, join, daemon, start_method="forkserver")

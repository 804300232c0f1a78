"""How much memory something takes at its peak."""

import multiprocessing
import resource
from typing import Callable

import torch


def report_peak(title: str, work: Callable[..., object], *arguments: object, device: str = "cpu") -> None:
    """
    Calls `work`, a function of a module, in a process of its own, and prints the most memory that this takes: of the
    device, or on the CPU of the whole process, libraries included. Raises `RuntimeError` where the process fails.
    """
    process = multiprocessing.get_context("spawn").Process(target=_report, args=(title, work, arguments, device))
    process.start()
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f"{title}: the process ended with {process.exitcode}, -9 where there was too little memory")


def _report(title: str, work: Callable[..., object], arguments: tuple, device: str) -> None:
    work(*arguments)
    if torch.device(device).type == "cuda":
        peak = torch.cuda.max_memory_allocated(device) / 2**30
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{title}: {peak:.2f} GiB")

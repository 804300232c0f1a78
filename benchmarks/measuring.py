"""Times of several ways to do the same, as ratios to one of them; processor time and memory of whole processes."""

import argparse
import multiprocessing
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, NamedTuple, Union

import torch

from experiments.common import argument_parser


def read_options(description: str, repeats: int) -> argparse.Namespace:
    """Reads `device`, by default the CPU, and `repeats`, the number of rounds."""
    parser = argument_parser(description)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--repeats", type=int, default=repeats)
    return parser.parse_args()


def compare(
    title: str,
    candidates: Dict[str, Callable[[], object]],
    reference: str,
    device: str = "cpu",
    repeats: int = 31,
    **amounts: int,
) -> Dict[str, float]:
    """
    Times each candidate once a round, so that a change in the machine's load affects all of them, and prints for each
    its median time and the median over rounds of its time divided by that of the reference.

    # Parameters

    title : `str`
    candidates : `Dict[str, Callable[[], object]]`
        The functions to call, by name.
    reference : `str`
        The name of the candidate to compare with.
    device : `str`, optional (default = `"cpu"`)
        The device of the candidates. The clock stops only when it is done.
    repeats : `int`, optional (default = `31`)
        The number of rounds, after one to warm up.
    **amounts : `int`
        The number of `tokens`, for example, that each call takes, to print how many these are a second.

    # Returns

    `Dict[str, float]`
        The median time of each candidate, in seconds.
    """
    rounds = [{name: _seconds(call, device) for name, call in candidates.items()} for _ in range(1 + repeats)][1:]
    medians = {name: statistics.median(times[name] for times in rounds) for name in candidates}

    print(f"{title} ({device}, {repeats} rounds)")
    for name, median in medians.items():
        ratio = statistics.median(times[name] / times[reference] for times in rounds)
        print(f"  {name:<12} {1e3 * median:9.3f} ms {ratio:8.2f} x {reference}")
    if amounts:
        for name, median in medians.items():
            print(f"  {name:<12}", *(f"{amount / median:9.0f} {what}/s" for what, amount in amounts.items()))
    return medians


def _seconds(call: Callable[[], object], device: str) -> float:
    finish(device)
    start = time.perf_counter()
    call()
    finish(device)
    return time.perf_counter() - start


def finish(device: Union[str, torch.device]) -> None:
    """Waits until a device is done."""
    if torch.device(device).type == "cuda":
        torch.cuda.synchronize(device)


def processor_time(call: Callable[[], object]) -> float:
    """The seconds of processor time that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


class Cost(NamedTuple):
    """The cost of a process: seconds of processor time, seconds on the clock, and GiB of memory at its peak."""

    processor: float
    clock: float
    memory: float


# A small process starts the measured one: the kernel counts the memory of the parent in the peak of a child.
_LAUNCHER = """
import resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[1:], stderr=subprocess.STDOUT)
clock, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 2**20, file=sys.stderr)
"""


def run(*arguments: str) -> Cost:
    """Runs Python with these arguments. Raises `RuntimeError` with its output where it fails."""
    with tempfile.TemporaryFile("w+") as output:
        command = [sys.executable, "-c", _LAUNCHER, sys.executable, *arguments]
        launched = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=True)
        status, *cost = map(float, launched.stderr.split())
        if status != 0:
            output.seek(0)
            raise RuntimeError(f"{' '.join(arguments)} ended with {status:.0f}:\n{output.read()[-2000:]}")
    return Cost(*cost)


def report_peak(title: str, work: Callable[..., object], *arguments: object, device: str = "cpu") -> None:
    """
    Calls `work`, a function of a module, in a process of its own, and prints the peak of memory: that of the device, or
    on the CPU that of the whole process, libraries included. Raises `RuntimeError` where the process fails.
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

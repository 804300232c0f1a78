"""Timing of several ways to do the same thing, as ratios to one of them."""

import statistics
import time
from typing import Callable, Dict

import torch


def compare(
    title: str, candidates: Dict[str, Callable[[], object]], reference: str, device: str = "cpu", repeats: int = 31
) -> Dict[str, float]:
    """
    Times each candidate once a round, so that a change in the machine's load meets them all, and prints for each its
    median time and the median over rounds of its time divided by the reference's.

    # Parameters

    title : `str`
        What is timed.
    candidates : `Dict[str, Callable[[], object]]`
        By name, what to call.
    reference : `str`
        The name of the candidate to compare with.
    device : `str`, optional (default = `"cpu"`)
        Where the candidates compute. The clock stops only when the device is done.
    repeats : `int`, optional (default = `31`)
        How many rounds, after one to warm up.

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
    return medians


def _seconds(call: Callable[[], object], device: str) -> float:
    _finish(device)
    start = time.perf_counter()
    call()
    _finish(device)
    return time.perf_counter() - start


def _finish(device: str) -> None:
    if torch.device(device).type == "cuda":
        torch.cuda.synchronize(device)

"""What the benchmarks of whole processes share."""

import os
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple


class Cost(NamedTuple):
    """What a process took: seconds of processor time, seconds on the clock, and GiB of memory at its peak."""

    processor: float
    clock: float
    memory: float


def run(*arguments: str) -> Cost:
    """
    Runs Python with these arguments. Raises `RuntimeError`, with what the process said, where it fails.
    """
    with tempfile.TemporaryFile("w+") as said:
        start = time.perf_counter()
        process = subprocess.Popen([sys.executable, *arguments], stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        clock = time.perf_counter() - start
        if status != 0:
            said.seek(0)
            raise RuntimeError(f"{' '.join(arguments)} ended with {status}:\n{said.read()[-2000:]}")
    return Cost(used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 2**20)

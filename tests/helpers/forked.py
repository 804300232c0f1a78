"""
    python forked.py PRELOAD

Runs `PRELOAD`, and then each program, a line of JSON on standard input, in its own fork. Prints its traceback as a line
of JSON, which is empty if it has no error.
"""

import atexit
import functools
import gc
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

from helpers.paths import ROOT

# Libraries below AllenNLP and nerzoo, which are slow to load.
LIBRARIES = "import torch, spacy, transformers, h5py, tensorboardX, fairscale.nn"
# nerzoo before AllenNLP, and all that it then needs.
NERZOO = "import nerzoo; nerzoo.models"


def run_forked(preload, programs):
    """
    Returns the tracebacks of programs that start where `preload` has ended, so that its slow imports run only once.
    """
    process = _started(preload)
    process.stdin.writelines(f"{json.dumps(program)}\n" for program in programs)
    process.stdin.flush()
    return [json.loads(process.stdout.readline()) for _ in programs]


@functools.cache
def _started(preload):
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(__file__).parents[1])])}
    # Imports take half as long again where coverage traces them, which other tests run, too.
    variables.pop("COVERAGE_PROCESS_CONFIG", None)
    process = subprocess.Popen(
        [sys.executable, __file__, preload],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=variables,
        text=True,
    )
    atexit.register(process.kill)
    return process


def _traceback(program):
    read, write = os.pipe()
    if os.fork() == 0:
        # The output of the program is not an answer.
        os.dup2(2, 1)
        try:
            exec(program, {"__name__": "__main__"})
            found = ""
        except BaseException:
            found = traceback.format_exc()
        with open(write, "w") as pipe:
            pipe.write(found)
        os._exit(0)
    os.close(write)
    with open(read) as pipe:
        found = pipe.read()
    os.wait()
    return found


if __name__ == "__main__":
    exec(sys.argv[1], {"__name__": "__main__"})
    # Programs do not look for garbage in what they share, which would also copy it.
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(_traceback(json.loads(line))), flush=True)

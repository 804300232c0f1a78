"""
    python forked.py PRELOAD

Runs `PRELOAD`, and then each program of a JSON list on standard input in its own fork. Prints a list of their
tracebacks, with empty ones for programs without an error.
"""

import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

from helpers.paths import ROOT


def run_forked(preload, programs):
    """
    Returns the tracebacks of programs that start where `preload` has ended, so that its slow imports run only once.
    """
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(__file__).parents[1])])}
    done = subprocess.run(
        [sys.executable, __file__, preload],
        input=json.dumps(programs),
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _traceback(program):
    read, write = os.pipe()
    if os.fork() == 0:
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
    print(json.dumps([_traceback(program) for program in json.load(sys.stdin)]))

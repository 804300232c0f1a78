"""What `. ./env.sh` sets."""

import os
import subprocess
import sys

import pytest
from helpers.paths import ROOT

# A bar as AllenNLP makes it, see allennlp/common/tqdm.py: its writer is no terminal, and the interval is given.
BARS = """
import sys, time
from types import SimpleNamespace
from tqdm import tqdm
for _ in range(2):
    bar = tqdm(range(5), file=SimpleNamespace(write=sys.stderr.write, flush=sys.stderr.flush), mininterval=0.1)
    for _ in bar:
        time.sleep(0.06)
        bar.set_description("f1: 0.5000, loss: 1.2500 ||", refresh=False)
"""


@pytest.fixture
def shell(tmp_path):
    """Runs a program after env.sh, with a `uv` that is there, so that none is installed."""
    (tmp_path / "uv").touch(mode=0o755)

    def run(source, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("TQDM_", "WORD_"))}
        environment |= {"PATH": f"{tmp_path}:{environment['PATH']}", **variables}
        command = ["sh", "-euc", '. ./env.sh; exec "$0" -c "$1"', sys.executable, source]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)

    return run


def test_a_progress_bar_is_one_line_where_there_is_no_screen(shell):
    lines = shell(BARS).stderr.decode().split("\n")
    assert lines.pop() == "" and len(lines) == 2
    assert all(line.strip().endswith("] f1: 0.5000, loss: 1.2500 ||:") and "5/5 [" in line for line in lines)


def test_variables_that_are_set_keep_their_values(shell):
    found = shell("import os; print(os.environ['TQDM_BAR_FORMAT'], os.environ['TQDM_MINITERS'])", TQDM_MINITERS="7")
    assert found.stdout == b"{n_fmt}/{total_fmt} [{elapsed}<{remaining}] {desc} 7\n"
    assert shell("import os; print(os.environ['TQDM_BAR_FORMAT'])", TQDM_BAR_FORMAT="{bar}").stdout == b"{bar}\n"


def test_python_keeps_what_it_compiles(shell):
    assert shell("import sys; print(sys.dont_write_bytecode)", PYTHONDONTWRITEBYTECODE="1").stdout == b"False\n"

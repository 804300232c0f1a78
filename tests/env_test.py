"""What `. ./env.sh` sets."""

import os
import subprocess
import sys

import pytest
from helpers.paths import ROOT


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


def test_variables_that_are_set_keep_their_values(shell):
    source = "import os; print(os.environ['TQDM_DISABLE'], os.environ['ALLENNLP_LOG_LEVEL'])"
    assert shell(source, ALLENNLP_LOG_LEVEL="INFO").stdout == b"1 INFO\n"
    assert shell("import os; print(repr(os.environ['SEED']))", SEED="3").stdout == b"'3'\n"
    assert shell(source, TQDM_DISABLE="yes").stdout == b"yes WARNING\n"


def test_python_keeps_what_it_compiles(shell):
    assert shell("import sys; print(sys.dont_write_bytecode)", PYTHONDONTWRITEBYTECODE="1").stdout == b"False\n"

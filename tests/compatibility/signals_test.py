import subprocess
import sys

from helpers.paths import ROOT


def test_sigterm_ends_a_command_without_a_traceback():
    command = (
        "from allennlp.common import util; util.install_sigterm_handler(); import nerzoo, os; os.kill(os.getpid(), 15)"
    )
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 143 and "Traceback" not in result.stderr

"""
Runs the commands in the console blocks of README and docs, and compares what they print. In a block, `...` stands for
any text, and lines may be broken anywhere.
"""

import doctest
import logging
import re
import shlex
import subprocess

import pytest
from helpers.commands import nerzoo
from helpers.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE))
]
SHELL = 'uv() { shift; "$@"; }\n'
"""Commands run in the environment of the test."""


def examples(block):
    """Yields the commands of a block, with their outputs."""
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, output = re.fullmatch(r"((?:.*\\\n)*.*\n)((?s:.*))", example).groups()
        yield command.replace("\\\n", " ").strip(), output


def run(command, monkeypatch, folder):
    """Runs a command. `nerzoo`, also at the end of a pipe, runs in this process, since a new one takes seconds."""
    source, _, last = command.rpartition(" | ")
    if last.startswith("uv run nerzoo "):
        subprocess.run(["bash", "-c", f"({SHELL}{source or 'true'}) > stdin"], cwd=folder, check=True)
        with open(folder / "stdin") as stdin, monkeypatch.context() as patch:
            patch.setattr("sys.stdin", stdin)
            patch.setattr(logging.root.manager, "disable", logging.INFO)
            nerzoo(*shlex.split(last)[3:], folder=folder)
    else:
        subprocess.run(["bash", "-c", SHELL + command], cwd=folder, check=True)


@pytest.fixture
def clone(tmp_path):
    """A folder that looks like a new clone, in which commands can write."""
    (tmp_path / "output").mkdir()
    for path in ROOT.iterdir():
        if path.name not in (".git", "output"):
            (tmp_path / path.name).symlink_to(path)
    return tmp_path


@pytest.mark.parametrize("block", BLOCKS)
def test_commands_print_what_is_shown(block, clone, monkeypatch, capfd):
    for command, expected in examples(block):
        run(command, monkeypatch, clone)
        out, error = capfd.readouterr()
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(expected, out + error, options), f"{command}\n{out}{error}"


def test_a_block_has_commands_with_their_outputs():
    block = "$ cat a \\\n  b\n1.9\n2\n$ true\n"
    assert list(examples(block)) == [("cat a    b", "1.9\n2\n"), ("true", "")]

"""The command `nerzoo`, in new interpreters: what this one has imported cannot be taken back."""

import json
import os
import re
import subprocess
import sys

import pytest
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import import_module_and_submodules
from helpers.commands import allennlp, nerzoo
from helpers.forked import LIBRARIES, run_forked
from helpers.paths import FIXTURES, ROOT

LEFT_OUT = ["allennlp_models", "sklearn", "torchvision", "nltk"]


def run(*command, folder=ROOT):
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, *command], cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_imports_what_it_needs_and_what_is_declared(tmp_path):
    (tmp_path / ".allennlp_plugins").write_text("declared\n")
    (tmp_path / "declared.py").write_text("print('declared is imported')\n")
    source = (
        "import atexit, json, sys\n"
        f"atexit.register(lambda: print(json.dumps([name for name in {LEFT_OUT} if name in sys.modules])))\n"
        "sys.argv = ['nerzoo', '--help']\n"
        "from nerzoo.__main__ import main\n"
        "main()\n"
    )
    first, usage, *commands, last = run("-c", source, folder=tmp_path).splitlines()
    assert (first, json.loads(last)) == ("declared is imported", [])
    assert usage.startswith("usage: nerzoo ")
    # AllenNLP's and nerzoo's.
    names = [line.split()[0] for line in commands if line.startswith("  ")]
    assert {"train", "evaluate", "predict", "tag", "cross-validate"} <= {*names}


def test_it_predicts_as_allennlp_does(archives, tmp_path):
    archive, data = str(archives("ner")), str(FIXTURES / "people_and_places/test.txt")
    options = ("--use-dataset-reader", "--silent", "--output-file")
    run("-m", "nerzoo", "predict", archive, data, *options, str(tmp_path / "ours.jsonl"))
    allennlp("predict", archive, data, *options, tmp_path / "theirs.jsonl")
    assert (tmp_path / "ours.jsonl").read_text() == (tmp_path / "theirs.jsonl").read_text() != ""


def test_modules_of_nerzoo_are_not_searched_for_one_by_one(monkeypatch):
    searched = []
    monkeypatch.setattr("importlib.invalidate_caches", lambda: searched.append(1))
    import_module_and_submodules("nerzoo")
    # For nerzoo itself.
    assert len(searched) == 1


def test_sigterm_ends_a_command_without_a_traceback():
    source = (
        "import os, sys\n"
        "from allennlp.commands import Subcommand\n"
        "from nerzoo import __main__\n"
        "@Subcommand.register('wait')\n"
        "class Wait(Subcommand):\n"
        "    def add_subparser(self, parser):\n"
        "        subparser = parser.add_parser('wait')\n"
        "        subparser.set_defaults(func=lambda args: os.kill(os.getpid(), 15))\n"
        "        return subparser\n"
        "sys.argv = ['nerzoo', 'wait']\n"
        "try:\n"
        "    __main__.main()\n"
        "except SystemExit as ended:\n"
        "    assert ended.code == 143\n"
        "else:\n"
        "    raise AssertionError('it did not end')\n"
    )
    assert run_forked(LIBRARIES, [source]) == [""]


@pytest.mark.parametrize("name, missing", [("nopackage", "nopackage"), ("nopackage.part", "nopackage")])
def test_a_package_that_is_not_there(name, missing):
    with pytest.raises(ConfigurationError, match=f"{name}: found no module {missing}, expected one"):
        nerzoo("count-instances", "none.json", "--include-package", name)


def test_a_package_that_lacks_another_one(tmp_path, monkeypatch):
    (tmp_path / "halfpackage.py").write_text("import nopackage")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'nopackage'") as raised:
        nerzoo("count-instances", "none.json", "--include-package", "halfpackage")
    assert not isinstance(raised.value, ConfigurationError)


def test_the_help_has_each_command_in_a_group(capsys):
    with pytest.raises(SystemExit):
        nerzoo("--help")
    text = capsys.readouterr().out
    own, allennlps = text.split("More, of AllenNLP:")
    listed = re.findall(r"^  ([a-z-]+) +[A-Z].*\.$", own, re.MULTILINE)
    commands = {
        name for name in Subcommand.list_available() if Subcommand.by_name(name).__module__.startswith("nerzoo")
    }
    assert len(listed) == len({*listed}) and {*listed} == commands | {"train", "evaluate", "predict"}
    assert "find-lr" in allennlps and max(map(len, text.splitlines())) <= 110

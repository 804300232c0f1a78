"""The command `nerzoo`, in new interpreters: what this one has imported cannot be taken back."""

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

from nerzoo.__main__ import main
from nerzoo.commands import program
from nerzoo.overview import overview
from nerzoo.version import __version__

LEFT_OUT = ["allennlp_models", "sklearn", "torchvision", "nltk"]


def run(folder, *arguments, behind="", preload=LIBRARIES):
    """Runs `nerzoo ARGUMENTS` in a folder, and then a program; returns what is printed."""
    program = (
        "import contextlib, os, sys\n"
        f"os.chdir({str(folder)!r})\n"
        f"sys.argv = ['nerzoo', *{list(map(str, arguments))}]\n"
        "from nerzoo.__main__ import main\n"
        "with open('printed', 'w') as printed, contextlib.redirect_stdout(printed):\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as ended:\n"
        "        assert not ended.code, ended.code\n"
        f"{behind}"
    )
    assert run_forked(preload, [program]) == [""]
    return (folder / "printed").read_text()


def test_it_imports_what_it_needs_and_what_is_declared(tmp_path):
    (tmp_path / ".allennlp_plugins").write_text("declared\n")
    (tmp_path / "declared.py").write_text("print('declared is imported')\n")
    left_out = f"found = {{*{LEFT_OUT}}} & {{*sys.modules}}\nassert not found, found"
    first, usage, *_ = run(tmp_path, "evaluate", "--help", behind=left_out).splitlines()
    assert first == "declared is imported"
    assert usage.startswith("usage: nerzoo evaluate ")


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"], ["--version"]], ids=str)
def test_the_first_words_import_neither_pytorch_nor_allennlp(tmp_path, arguments):
    left_out = "assert not {'torch', 'allennlp'} & {*sys.modules}"
    expected = f"nerzoo {__version__}" if arguments == ["--version"] else overview()
    assert run(tmp_path, *arguments, behind=left_out, preload="") == f"{expected}\n"


def test_it_predicts_as_allennlp_does(archives, tmp_path):
    archive, data = str(archives("ner")), str(FIXTURES / "people_and_places/test.txt")
    options = ("--use-dataset-reader", "--silent", "--output-file")
    run(tmp_path, "predict", archive, data, *options, tmp_path / "ours.jsonl")
    allennlp("predict", archive, data, *options, tmp_path / "theirs.jsonl", "--batch-size", 32)
    assert (tmp_path / "ours.jsonl").read_text() == (tmp_path / "theirs.jsonl").read_text() != ""


@pytest.mark.parametrize("arguments", [["zoo"], ["config", "list"]], ids=" ".join)
def test_a_command_is_silent_where_its_output_is_a_closed_pipe(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "nerzoo", *arguments]
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd=ROOT, text=True)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_the_broken_pipe_of_another_process_is_an_error(monkeypatch):
    def lose_worker(arguments):
        raise BrokenPipeError("a worker has ended")

    monkeypatch.setattr("nerzoo.__main__.run", lose_worker)
    monkeypatch.setattr(sys, "argv", ["nerzoo", "tag"])
    with pytest.raises(BrokenPipeError, match="a worker has ended"):
        main()


def test_a_full_disk_is_an_error_in_one_line():
    with open("/dev/full", "w") as full:
        ended = subprocess.run([sys.executable, "-m", "nerzoo", "zoo"], stdout=full, stderr=subprocess.PIPE, cwd=ROOT)
    assert ended.stderr.splitlines()[0] == b"error: [Errno 28] No space left on device"


def test_predict_reads_items_many_at_a_time():
    assert program._parser().parse_args(["predict", "model.tar.gz", "in.jsonl"]).batch_size == 32


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


def test_the_overview_has_each_command_once():
    own, allennlps = overview().split("More, of AllenNLP:")
    commands = {name: Subcommand.by_name(name).__module__.split(".")[0] for name in Subcommand.list_available()}
    listed = re.findall(r"^  ([a-z-]+) +[A-Z].*\.$", own, re.MULTILINE)
    expected = {name for name, package in commands.items() if package == "nerzoo"} | {"train", "evaluate", "predict"}
    assert sorted(listed) == sorted(expected)
    assert allennlps.split() == ", ".join(sorted({*commands} - expected)).split()
    assert max(map(len, overview().splitlines())) <= 110

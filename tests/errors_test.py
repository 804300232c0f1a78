import logging
import sys

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import in_short, report_in_allennlp


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("\n one\n  two \nthree\nfour", "one two three"),
        ("x" * 600, "x" * 500),
        ("", "ValueError"),
        (" \n", "ValueError"),
    ],
)
def test_an_error_in_short(message, expected):
    assert in_short(ValueError(message)) == expected


@pytest.fixture
def hook(monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)

    def installed(program):
        monkeypatch.setattr(sys, "argv", [program])
        report_in_allennlp()
        return sys.excepthook

    return installed


def caught(error):
    try:
        raise error
    except Exception:
        return sys.exc_info()


@pytest.mark.parametrize("program", ["/bin/allennlp", "/lib/allennlp/__main__.py"])
def test_a_command_says_the_error_alone(hook, program, capsys):
    hook(program)(*caught(ConfigurationError("a.txt:3: found nothing")))
    assert capsys.readouterr().err == "error: a.txt:3: found nothing\n"


def test_a_module_that_is_to_be_run(hook, monkeypatch):
    monkeypatch.setattr(sys, "orig_argv", ["python", "-W", "ignore", "-m", "allennlp", "train"])
    assert hook("-m") is not sys.__excepthook__
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "pytest"])
    assert hook("-m") is sys.__excepthook__


def test_errors_of_files_are_a_line(hook, capsys):
    hook("/bin/allennlp")(*caught(FileNotFoundError(2, "No such file or directory", "a.txt")))
    assert capsys.readouterr().err == "error: [Errno 2] No such file or directory: 'a.txt'\n"


def test_other_errors_have_a_traceback(hook, capsys):
    hook("/bin/allennlp")(*caught(ValueError("a bug")))
    assert "Traceback" in capsys.readouterr().err


def test_where_the_log_has_everything_there_is_a_traceback(hook, capsys, monkeypatch):
    monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
    hook("/bin/allennlp")(*caught(ConfigurationError("found nothing")))
    assert "Traceback" in capsys.readouterr().err


def test_of_several_types_each_reason_is_said(hook, capsys):
    error = ConfigurationError("Failed to construct argument head")
    error.__cause__ = ConfigurationError("found the key 'x'")
    error.__cause__.__cause__ = TypeError()
    hook("/bin/allennlp")(*caught(error))
    assert capsys.readouterr().err == "error: Failed to construct argument head: found the key 'x': TypeError\n"


@pytest.mark.parametrize("program", ["/bin/pytest", "", "/lib/theirs/__main__.py", "/bin/nerzoo"])
def test_other_programs_are_left_alone(hook, program):
    assert hook(program) is sys.__excepthook__

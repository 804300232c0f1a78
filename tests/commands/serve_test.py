import pytest
from helpers.commands import allennlp

from nerzoo.deploy.server.requests import Limits
from nerzoo.deploy.server.server import ServerOptions


@pytest.fixture
def served(monkeypatch):
    options = []
    monkeypatch.setattr("nerzoo.commands.serve.serve", options.append)
    return options


def test_defaults(served):
    allennlp("serve", "model.tar.gz")
    assert served == [ServerOptions("model.tar.gz")]


def test_all_options(served, tmp_path):
    token, certificate, key = (tmp_path / name for name in ("token", "certificate", "key"))
    token.write_text("secret")
    options = (
        "--host 0.0.0.0 --port 80 --workers 2 --max-body 1 --max-items 2 --max-tokens 3 --max-requests 4 --timeout 5 "
    )
    options += "--batch-tokens 6 --batch-wait 0.7 --cuda-device 0 --engine torch -o {}"
    files = ("--token-file", token, "--tls-certificate", certificate, "--tls-key", key)
    allennlp("serve", "model.tar.gz", *options.split(), *files)
    limits = Limits(1, 2, 3, 4, 5, 6, 0.7)
    assert served == [
        ServerOptions("model.tar.gz", 0, "{}", "torch", limits, "0.0.0.0", 80, 2, "secret", certificate, key)
    ]


@pytest.mark.parametrize(
    "option, value, expected",
    [("--max-items", 0, "found 0, expected 1 or more"), ("--timeout", "inf", "found inf, expected a number above 0")],
)
def test_numbers_that_are_none(served, capsys, option, value, expected):
    with pytest.raises(SystemExit):
        allennlp("serve", "model.tar.gz", option, value)
    assert expected in capsys.readouterr().err

import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import allennlp.version
import httpx
import pytest
from allennlp.common.checks import ConfigurationError
from helpers.served import Client, children, server

from nerzoo import archives
from nerzoo.deploy.server import server as module
from nerzoo.deploy.server.requests import Limits
from nerzoo.deploy.server.server import SETTINGS, ServerOptions, model_facts, read_token, serve

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate by openssl")
ITEM = {"sentence": "Mara lived in Calder."}
LONG = [{"sentence": "Mara lived in Calder . " * 300}] * 20


@pytest.fixture(scope="module")
def pem(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pem")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out certificate.pem"
    )
    command += " -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"


@pytest.fixture
def supervised(monkeypatch):
    """What uvicorn is asked for, in place of running it."""
    seen = SimpleNamespace(exitcode=0)

    def supervise(announced, config, sockets):
        seen.announced, seen.config, seen.address = announced, config, sockets[0].getsockname()
        sockets[0].close()
        seen.processes = [seen]
        seen.run = lambda: None
        return seen

    monkeypatch.setattr(module, "make_supervisor", supervise)
    for name in SETTINGS:
        monkeypatch.setenv(name, "2")
    return seen


@needs_openssl
def test_a_server_survives_its_worker_and_ends_when_all_is_answered(archives, pem, tmp_path):
    token, log = tmp_path / "token", tmp_path / "log"
    token.write_text("secret\n")
    options = ("--tls-certificate", pem[0], "--tls-key", pem[1], "--token-file", token)
    with (
        server(archives("ner"), log, *options) as (process, address),
        httpx.Client(
            base_url=address, verify=str(pem[0]), headers={"Authorization": "Bearer secret"}, timeout=120
        ) as http,
    ):
        assert address.startswith("https://127.0.0.1:")
        assert http.post("/predict", json=ITEM).json()["words"][0] == "Mara"
        assert http.post("/predict", json=ITEM, headers={"Authorization": "Bearer other"}).status_code == 401

        (worker,) = [child for child in children(process.pid) if b"spawn_main" in of_process(child, "cmdline")]
        # Without them its memory grows with the requests, see docs/results/serve.md.
        assert {f"{name}={value}".encode() for name, value in SETTINGS.items()} <= {
            *of_process(worker, "environ").split(b"\0")
        }
        # When it is killed it has been asked for a sign of life, and has not given any yet.
        os.kill(worker, signal.SIGSTOP)
        time.sleep(1.5)
        killed = time.monotonic()
        os.kill(worker, signal.SIGKILL)
        # The client may see its connection break, or ask again by a new one, which waits for the new worker.
        with suppress(httpx.TransportError):
            http.post("/predict", json=ITEM)
        assert http.post("/predict", json=ITEM).json()["words"][0] == "Mara"
        assert time.monotonic() - killed < module._HUNG

        answers = []
        asking = threading.Thread(target=lambda: answers.append(http.post("/predict", json=LONG)))
        asking.start()
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        asking.join()
        assert len(answers[0].json()) == len(LONG)
        assert process.wait(60) == 0
    assert str(archives("ner").parent) not in log.read_text()


def of_process(process, what):
    with open(f"/proc/{process}/{what}", "rb") as file:
        return file.read()


def test_where_and_how_is_listened(supervised, capsys):
    limits = Limits(requests=3, seconds=7)
    serve(ServerOptions("en", limits=limits, port=0, workers=2))
    assert supervised.address[0] == "127.0.0.1"
    assert supervised.config.workers == 2 and supervised.config.limit_concurrency == 12
    assert supervised.config.timeout_graceful_shutdown == 15
    assert supervised.announced == f"http://127.0.0.1:{supervised.address[1]}"
    assert capsys.readouterr().err == ""
    assert all(os.environ[name] == "2" for name in SETTINGS)  # what the caller says stands


@pytest.mark.parametrize("token, is_said", [(None, True), ("secret", False)])
def test_an_open_server_is_warned_of(supervised, capsys, token, is_said):
    serve(ServerOptions("en", host="0.0.0.0", port=0, token=token))
    assert ("whoever reaches this machine" in capsys.readouterr().err) == is_said


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2"])
def test_addresses_of_this_machine_alone_are_not_warned_of(supervised, capsys, host):
    serve(ServerOptions("en", host=host, port=0))
    assert "whoever" not in capsys.readouterr().err


def test_other_addresses_are_warned_of():
    assert not module._is_local("example.org")


def test_a_port_that_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit):
        serve(ServerOptions("en", port=taken.getsockname()[1]))
    assert "Address already in use" in capsys.readouterr().err


def test_a_model_that_is_not_there_is_named_before_anything_starts(capfd):
    with pytest.raises(ConfigurationError, match="^nothing: found no model of the zoo"):
        serve(ServerOptions("nothing", port=0))
    assert capfd.readouterr() == ("", "")


def test_workers_that_do_not_start(supervised):
    supervised.exitcode = 3
    with pytest.raises(ConfigurationError, match="^en: found no worker that starts"):
        serve(ServerOptions("en", port=0))


@needs_openssl
def test_files_of_tls_are_checked(supervised, pem, tmp_path):
    serve(ServerOptions("en", port=0, certificate=pem[0], key=pem[1]))
    assert supervised.config.is_ssl
    for certificate, key in ((pem[1], pem[0]), (pem[0], tmp_path / "nothing")):
        with pytest.raises(ConfigurationError, match=f"^{certificate}, {key}: found files that TLS cannot use"):
            serve(ServerOptions("en", port=0, certificate=certificate, key=key))
    with pytest.raises(ConfigurationError, match="expected a certificate and its key$"):
        serve(ServerOptions("en", port=0, certificate=pem[0]))


def test_a_token_is_the_word_of_a_file(tmp_path):
    path = tmp_path / "token"
    path.write_text("  secret\n")
    assert read_token(path) == "secret"


@pytest.mark.parametrize("content", [b"", b"two words", "ö".encode()])
def test_other_files_have_no_token(tmp_path, content):
    path = tmp_path / "token"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=f"^{path}: found"):
        read_token(path)


def test_a_missing_file_has_no_token(tmp_path):
    with pytest.raises(ConfigurationError, match="No such file"):
        read_token(tmp_path / "nothing")


def test_what_a_worker_serves(archives):
    client = Client(module._application(ServerOptions(str(archives("ner")))))
    assert client.ask("/predict", ITEM).json()["words"][0] == "Mara"
    client.close()


def test_a_worker_without_a_model_says_why(tmp_path, capsys):
    with pytest.raises(SystemExit) as raised:
        module._application(ServerOptions(str(tmp_path)))
    assert raised.value.code == 3 and str(tmp_path) in capsys.readouterr().err


def test_a_worker_ends_with_its_parent(monkeypatch):
    process = multiprocessing.Process(target=time.sleep, args=(0,))
    process.start()
    sent = []
    monkeypatch.setattr(module, "parent_process", lambda: process)
    monkeypatch.setattr(os, "kill", lambda *signalled: sent.append(signalled))
    module._end_with_parent()
    assert sent == [(os.getpid(), signal.SIGTERM)]


@pytest.fixture
def folder(archives, tmp_path):
    return archives("ner"), tmp_path / "published"


def test_what_is_known_of_an_archive(tagger, archives):
    facts = model_facts(archives("ner"), tagger, Limits(items=3))
    assert facts["name"] == "run" and facts["model"] == "ExportedTaggerModel" and facts["predictor"] == "ner"
    assert facts["labels"] == ["organization", "person", "place"]
    assert facts["versions"]["AllenNLP"] == allennlp.version.VERSION
    assert facts["limits"]["items"] == 3 and facts["card"] is None
    assert str(archives("ner").parent) not in str(facts)


def test_the_card_of_a_folder(tagger, folder):
    archive, unpacked = folder
    unpacked.mkdir()
    archives.unpack(archive, unpacked)
    (unpacked / "README.md").write_text("A card.")
    facts = model_facts(unpacked, tagger, Limits())
    assert (facts["name"], facts["card"]) == ("published", "A card.")


def test_an_archive_without_a_folder_has_its_own_name(tagger, archives, monkeypatch):
    monkeypatch.chdir(archives("ner").parent)
    assert model_facts("model.tar.gz", tagger, Limits())["name"] == "model.tar.gz"

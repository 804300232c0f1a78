import gc
import ipaddress
import logging
import os
import signal
import ssl
import sys
from functools import partial
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from nerzoo import archives
from nerzoo.deploy.model_card import versions
from nerzoo.deploy.server.app import make_app
from nerzoo.deploy.server.requests import Limits
from nerzoo.errors import extra
from nerzoo.formats.lines import AnyPath
from nerzoo.inference.tagger import Tagger

if TYPE_CHECKING:
    from fastapi import FastAPI
    from uvicorn.supervisors import Multiprocess

_logger = logging.getLogger("uvicorn.error")

SETTINGS = {
    # Otherwise each thread has a heap of its own, and memory that one thread allocates and another one frees leaves
    # holes.
    "MALLOC_ARENA_MAX": "1",
    # oneDNN keeps kernels, of 1024 shapes by default. Hardly any two batches of requests have the same shape, and
    # kernels that stay for long lie between blocks that do not, so that holes are left, too.
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "128",
}
"""Variables of the GNU C library and PyTorch's oneDNN that keep the memory of workers from growing with requests."""

_CARD = "README.md"

_FAILED_TO_START = 3
"""The exit code of a worker after which uvicorn starts no other one."""

_HUNG = 60
"""Seconds without a sign of life after which uvicorn replaces a worker."""

_CONNECTIONS = 4
"""Connections for each request that is being answered: the others are idle, or are told to try again later."""


class ServerOptions(NamedTuple):
    """The options of a server."""

    archive: str
    device: int = -1
    """The number of a GPU, or -1."""
    overrides: str = ""
    """Changes of the configuration."""
    engine: str = "auto"
    """The engine on a CPU, see `nerzoo.inference.engine.load`."""
    limits: Limits = Limits()
    host: str = "127.0.0.1"
    port: int = 8000
    """0: a free one."""
    workers: int = 1
    """The number of processes that predict, each with a model of its own."""
    token: Optional[str] = None
    """The token that clients must send, if any."""
    certificate: Optional[Path] = None
    """The chain of certificates of TLS, as PEM."""
    key: Optional[Path] = None
    """The private key of the certificate."""


def serve(options: ServerOptions) -> None:
    """
    Serves an archive until SIGTERM or SIGINT, and then until the requests before it are answered. Worker processes
    predict; one that dies or hangs is replaced. Needs the extra `serve` of this package.
    Raises `ConfigurationError` where there is no such archive, the files of TLS cannot be used, or the workers do not
    start.
    """
    with extra("serve", ", which serves archives"):
        import uvicorn
    archives.find(options.archive)
    _check_tls(options)
    if options.token is None and not _is_local(options.host):
        message = f"{options.host}: whoever reaches this machine gets predictions; --token-file asks for more"
        print(message, file=sys.stderr)
    config = uvicorn.Config(
        partial(_application, options),
        factory=True,
        host=options.host,
        port=options.port,
        workers=options.workers,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
        server_header=False,
        proxy_headers=False,
        ws="none",
        limit_concurrency=_CONNECTIONS * options.limits.requests,
        timeout_graceful_shutdown=round(2 * options.limits.seconds) + 1,
        timeout_worker_healthcheck=_HUNG,
    )
    for name, value in SETTINGS.items():
        # For the workers. Values that the user has set stay.
        os.environ.setdefault(name, value)
    # uvicorn would announce the address before any worker has a model.
    _logger.setLevel(logging.WARNING)
    listening = config.bind_socket()
    _logger.setLevel(logging.INFO)
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"{'https' if config.is_ssl else 'http'}://{host}:{listening.getsockname()[1]}"
    supervisor = make_supervisor(address, config, [listening])
    supervisor.run()
    if any(process.exitcode == _FAILED_TO_START for process in supervisor.processes):
        raise ConfigurationError(f"{options.archive}: found no worker that starts; the messages above say why")


def make_supervisor(address: str, *args: Any) -> "Multiprocess":
    """
    Makes a supervisor of uvicorn, which starts the workers of a server, announces its address when all of them have a
    model, and replaces a worker that has died or hangs.
    """
    from uvicorn.supervisors import Multiprocess

    class Supervisor(Multiprocess):
        is_announced = False

        def keep_subprocess_alive(self) -> None:
            # uvicorn leaves the worker's end of the pipe open in this process, too. It would wait forever for an answer
            # from a worker that died after it was asked, since no other process is left to close that end.
            for process in self.processes:
                process.child_conn.close()
            super().keep_subprocess_alive()
            if not self.is_announced and all(process.is_ready() for process in self.processes):
                self.is_announced = True
                _logger.info("Uvicorn running on %s (Press CTRL+C to quit)", address)

    return Supervisor(*args)


def model_facts(archive: AnyPath, tagger: Tagger, limits: Limits) -> Dict[str, Any]:
    """
    Returns the facts that a server tells about its model: `name`, the last part of the archive's path other than
    `model.tar.gz`; `model`, its class; `predictor`, which defines the form of items; `text_key`, the key of a text in
    them; `labels`; `versions`; `limits`; and `card`, the model card of a folder that `nerzoo publish` has made, or
    `None`.
    """
    model = tagger.predictor.model
    parts = [part for part in Path(archive).parts if part != archives.ARCHIVE_NAME]
    path = archives.find(archive)
    card = path / _CARD
    return {
        "name": parts[-1] if parts else archives.ARCHIVE_NAME,
        "model": type(model).__name__,
        "predictor": model.default_predictor,
        "text_key": tagger.predictor.text_key,
        "labels": tagger.labels,
        "versions": versions(),
        "limits": limits._asdict(),
        "card": card.read_text(encoding="utf-8", errors="replace") if path.is_dir() and card.is_file() else None,
    }


def read_token(path: Path) -> str:
    """Returns the token in a file. Raises `ConfigurationError` where there is none, or it is not a single word."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: found no token ({error}), expected a line of ASCII") from error
    if not token or len(token.split()) > 1:
        raise ConfigurationError(f"{path}: found {len(token.split())} words, expected the token and nothing else")
    return token


def _application(options: ServerOptions) -> "FastAPI":
    """Makes the application of a worker, which ends with the process that has started it."""
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        tagger = Tagger.load(
            options.archive, options.device, overrides=options.overrides or None, engine=options.engine
        )
        # A look for garbage among what is loaded takes a third of a second, in which nothing is answered.
        gc.freeze()
        return make_app(tagger, model_facts(options.archive, tagger, options.limits), options.limits, options.token)
    except ConfigurationError as error:
        print(error, file=sys.stderr)
        raise SystemExit(_FAILED_TO_START) from None


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _check_tls(options: ServerOptions) -> None:
    files = options.certificate, options.key
    if files == (None, None):
        return
    if options.certificate is None or options.key is None:
        raise ConfigurationError("found one of the files of TLS, expected a certificate and its key")
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(options.certificate, options.key)
    except OSError as error:
        found, expected = f"files that TLS cannot use ({error})", "a certificate and its key as PEM"
        raise ConfigurationError(f"{files[0]}, {files[1]}: found {found}, expected {expected}") from error


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

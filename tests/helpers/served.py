"""Clients of applications and of servers."""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import time

import httpx
from helpers.paths import ROOT

NDJSON = "application/x-ndjson"


class Client:
    """Sends requests to an application in this process, all in one event loop, as in a server."""

    def __init__(self, app):
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._http = httpx.AsyncClient(transport=transport, base_url="http://server")

    def ask(self, path, content=None, method=None, **headers):
        """Sends a request with an object as JSON, or with bytes, or without a body."""
        return self.together((path, content, method, headers))[0]

    def together(self, *requests):
        """Returns the answers to several requests, (path, content, method, headers), sent at the same time."""

        async def gathered():
            return await asyncio.gather(*(self._request(*request) for request in requests))

        return self._runner.run(gathered())

    def run(self, coroutine):
        """Returns the result of a coroutine in the event loop."""
        return self._runner.run(coroutine)

    def close(self):
        self._runner.run(self._http.aclose())
        self._runner.close()

    async def _request(self, path, content=None, method=None, headers=None):
        names = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        if content is not None and not isinstance(content, bytes) and not hasattr(content, "__aiter__"):
            content = json.dumps(content).encode()
        if content is not None:
            names.setdefault("Content-Type", "application/json")
        return await self._http.request(
            method or ("GET" if content is None else "POST"), path, content=content, headers=names
        )


@contextlib.contextmanager
def server(archive, log, *arguments):
    """Starts `nerzoo serve` at a free port; yields the process and its address when it is ready."""
    command = [sys.executable, "-m", "nerzoo", "serve", str(archive), "--port", "0", *map(str, arguments)]
    with open(log, "wb") as said:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=said, stderr=said, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
    try:
        yield process, _address(process, log)
    finally:
        process.terminate()
        process.wait(60)


def _address(process, log):
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"running on (https?://\S+)", log.read_text())
        if found and "startup complete" in log.read_text():
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(log.read_text())


def children(process):
    """Returns the processes that a process has started."""
    with open(f"/proc/{process}/task/{process}/children") as file:
        return [int(child) for child in file.read().split()]

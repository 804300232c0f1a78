"""
`nerzoo serve` under load, on this machine; each run has a server of its own. Writes tables in Markdown.

    python -m benchmarks.serve_load output/ner/model.tar.gz --texts texts.txt

A text a line is sent as a request. The parts, of which `--parts` names some:

- `rates`: `--requests` requests from `--clients` clients, each of which sends the next one when it has its answer, with
  batches and without; requests per second, and the median and 99th percentile of the time to an answer.
- `kill`: the same, with batches; the worker is killed (SIGKILL) when a third is answered. Clients whose connection
  breaks ask again. Prints the number of broken requests, and the longest time without an answer.
- `faults`: the same, beside clients that send malformed and huge requests, and bodies that never end. Prints the
answers
  to good clients and to the others.
- `soak`: good requests for `--minutes`; the memory of all processes of the server each minute.
"""

import argparse
import asyncio
import itertools
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import AsyncIterator, Awaitable, Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple

import aiohttp
from aiohttp import ClientSession

from benchmarks.scale import family, proportional_memory
from experiments.common import argument_parser

UNBATCHED = ("--batch-tokens", "1", "--batch-wait", "0.0001")
BAD = [
    b"{",
    b"[" * 100_000,
    b"[" + b"9" * 5000 + b"]",
    b'{"sentence": "\\ud800"}',
    b'{"sentense": "A"}',
    b"\xff",
    b"[]",
]
AGAIN = 0.2
"""Seconds until a client whose connection broke asks again."""


class Server(NamedTuple):
    process: subprocess.Popen
    address: str

    @property
    def memory(self) -> float:
        """The memory of all its processes, in MiB."""
        return sum(map(proportional_memory, family(self.process.pid))) / 2**20

    @property
    def workers(self) -> List[int]:
        """The processes that predict."""
        return [
            each for each in family(self.process.pid) if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()
        ]


class Answers:
    """The answers to clients: for each its time and how long it took, in seconds; statuses; broken requests."""

    def __init__(self) -> None:
        self.times: List[Tuple[float, float]] = []
        self.statuses: Counter = Counter()
        self.num_broken = 0
        self.start = time.perf_counter()

    @property
    def seconds(self) -> float:
        return max(when for when, _ in self.times) - self.start

    @property
    def longest_silence(self) -> float:
        ends = sorted(when for when, _ in self.times)
        return max(later - earlier for earlier, later in itertools.pairwise(ends))

    def row(self, name: str) -> str:
        lasted = sorted(took for _, took in self.times)
        percentiles = statistics.quantiles(lasted, n=100)
        cells = [
            f"{len(lasted):,}",
            f"{len(lasted) / self.seconds:.0f}",
            *(f"{1000 * percentiles[n]:.0f}" for n in (49, 98)),
        ]
        statuses = ", ".join(f"{count:,} x {status}" for status, count in sorted(self.statuses.items()))
        return f"| {name} | {' | '.join(cells)} | {statuses} |"


@contextmanager
def serving(archive: str, *options: str) -> Iterator[Server]:
    """Starts a server with one thread for computation, and yields it when it answers."""
    command = [sys.executable, "-m", "nerzoo", "serve", archive, "--port", "0", *options]
    with tempfile.NamedTemporaryFile() as log:
        environment = {"OMP_NUM_THREADS": "1", **os.environ}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            while not (found := re.search(r"running on (\S+)", text := Path(log.name).read_text())):
                if process.poll() is not None:
                    raise RuntimeError(text)
                time.sleep(0.1)
            yield Server(process, found[1])
        finally:
            process.terminate()
            process.wait()


def session(server: Server) -> ClientSession:
    return ClientSession(server.address, timeout=aiohttp.ClientTimeout(120))


async def ask(http: ClientSession, item: object, answers: Answers) -> None:
    """Asks until there is an answer."""
    start = time.perf_counter()
    while True:
        try:
            async with http.post("/predict", json=item) as response:
                await response.read()
            break
        except aiohttp.ClientError:
            answers.num_broken += 1
            await asyncio.sleep(AGAIN)
    end = time.perf_counter()
    answers.statuses[response.status] += 1
    answers.times.append((end, end - start))


async def load(
    server: Server,
    texts: Iterator[str],
    num_clients: int,
    answers: Answers,
    beside: Sequence[Callable[[ClientSession], Awaitable[None]]] = (),
) -> None:
    """Sends each text, by so many clients, beside what others do until these are done."""

    async def client() -> None:
        async with session(server) as http:
            for text in texts:
                await ask(http, {"sentence": text}, answers)

    async with session(server) as http:
        others = [asyncio.create_task(each(http)) for each in beside]
        await asyncio.gather(*(client() for _ in range(num_clients)))
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def rates(args: argparse.Namespace, texts: List[str]) -> None:
    print("| | requests | requests/s | median, ms | 99th percentile, ms | statuses |")
    print("|---|---|---|---|---|---|")
    for name, options in {"with batches": (), "without": UNBATCHED}.items():
        with serving(args.archive, *options) as server:
            answers = loaded(args, server, texts)
        print(answers.row(name), flush=True)


def loaded(args: argparse.Namespace, server: Server, texts: List[str], **kwargs: Sequence) -> Answers:
    """Sends `--requests` requests, after some to warm up."""
    asyncio.run(load(server, itertools.islice(itertools.cycle(texts), 10 * args.clients), args.clients, Answers()))
    answers = Answers()
    asked = itertools.islice(itertools.cycle(texts), args.requests)
    asyncio.run(load(server, asked, args.clients, answers, **kwargs))
    return answers


def kill(args: argparse.Namespace, texts: List[str]) -> None:
    with serving(args.archive) as server:
        answers = Answers()

        async def killer(http: ClientSession) -> None:
            while len(answers.times) < args.requests / 3:
                await asyncio.sleep(0.01)
            os.kill(server.workers[0], signal.SIGKILL)

        asked = itertools.islice(itertools.cycle(texts), args.requests)
        asyncio.run(load(server, asked, args.clients, answers, [killer]))
    broken = (
        f"{answers.num_broken} broke and were asked again; nothing was answered for {answers.longest_silence:.1f} s"
    )
    print(
        f"killed worker: {len(answers.times):,} requests, all answered ({dict(answers.statuses)}); {broken}", flush=True
    )


def faults(args: argparse.Namespace, texts: List[str]) -> None:
    found: Dict[str, Counter] = {name: Counter() for name in ("malformed", "huge", "huge, chunked", "endless")}
    json_type = {"Content-Type": "application/json"}

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(1000):
            yield b" " * 100_000

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(1)

    async def send(http: ClientSession, name: str, content: object) -> None:
        try:
            async with http.post("/predict", data=content, headers=json_type) as response:
                found[name][response.status] += 1
        except aiohttp.ClientError as error:
            found[name][type(error).__name__] += 1

    def client(name: str, contents: Iterator[Callable[[], object]]) -> Callable[[ClientSession], Awaitable[None]]:
        async def sending(http: ClientSession) -> None:
            for content in contents:
                await send(http, name, content())

        return sending

    beside = [
        client("malformed", itertools.cycle([lambda each=each: each for each in BAD])),
        client("huge", itertools.repeat(lambda: b" " * 100_000_000)),
        client("huge, chunked", itertools.repeat(chunks)),
        *[client("endless", itertools.repeat(endless)) for _ in range(8)],
    ]
    with serving(args.archive, "--timeout", "5") as server:
        answers = loaded(args, server, texts, beside=beside)
    print(answers.row("beside bad ones"))
    for name, counts in found.items():
        print(f"{name}: {', '.join(f'{count} x {what}' for what, count in counts.items())}", flush=True)


def soak(args: argparse.Namespace, texts: List[str]) -> None:
    with serving(args.archive) as server:
        answers = Answers()
        end = time.perf_counter() + 60 * args.minutes
        asked = itertools.takewhile(lambda _: time.perf_counter() < end, itertools.cycle(texts))
        memory: List[float] = []

        async def watch(http: ClientSession) -> None:
            while True:
                await asyncio.sleep(60)
                memory.append(server.memory)

        asyncio.run(load(server, asked, args.clients, answers, [watch]))
    print(answers.row(f"{args.minutes:g} minutes"))
    print(f"MiB each minute: {', '.join(f'{each:.0f}' for each in memory)}", flush=True)


PARTS = {"rates": rates, "kill": kill, "faults": faults, "soak": soak}


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--texts", type=Path, required=True, help="a text a line")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS))
    args = parser.parse_args()
    texts = [line for line in args.texts.read_text(encoding="utf-8").splitlines() if line.strip()]
    for part in args.parts:
        PARTS[part](args, texts)


if __name__ == "__main__":
    main()

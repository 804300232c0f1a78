import asyncio
import gc
import os
import pickle
import signal
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp

from nerzoo.inference import workers
from nerzoo.inference.sources import SourceItem
from nerzoo.inference.tag import Journal
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.workers import ChunkPredictor, Feed, predict_chunks, predict_over_ray

WORDS = ["Mara", "lived", "in", "Calder", "and", "Jordan", "worked", "at", "Lindow", "."]
LINES = [f'{{"words": ["{first}", "{second}"]}}' for first in WORDS for second in WORDS]
# One of them cannot be predicted.
LINES += ['{"words": 5}', '{"words": []}']


@pytest.fixture(scope="module")
def ray():
    """Ray, started for all tests with two CPUs, in the way of the command."""
    if find_spec("ray") is None:
        pytest.skip("ray is not installed")
    # Ray makes its workers give way to other processes: where these run tests, they would wait for minutes.
    os.environ.update(RAY_worker_niceness="0")
    # Sets the environment before Ray is imported: under `uv run`, workers would else be started by uv, too.
    module = workers._ray()
    with workers._started(module, "local", 2):
        yield module


@pytest.fixture(scope="module")
def tagger(archives):
    return Tagger.load(archives("ner"), device="cpu")


@pytest.fixture
def tag(archives, tmp_path, monkeypatch):
    """Runs the command on the lines, in chunks of four; returns what it writes into a file of this name."""
    monkeypatch.setattr("nerzoo.inference.tag._CHUNK_ITEMS", 4)
    path = tmp_path / "input.jsonl"
    path.write_text("\n".join(LINES) + "\n")

    def run(name, *arguments):
        output = tmp_path / name
        allennlp("tag", archives("ner"), path, "--output-file", output, "--errors", "yield", *arguments)
        return output.read_bytes()

    return run


class _Collecting:
    """A tagger that searches for garbage."""

    is_on_gpu = False

    def __call__(self, items, errors):
        gc.collect()
        return ({} for _ in items)


class _Garbage:
    """An object that only the garbage collector deletes, and that notes the process which does so."""

    def __init__(self, path):
        self.path, self.itself = path, self

    def __del__(self):
        self.path.write_text(str(os.getpid()))


@pytest.mark.skipif(sys.platform != "linux", reason="there are no forks")
def test_workers_do_not_delete_what_their_parent_has_left(tmp_path):
    gc.disable()
    try:
        _Garbage(tmp_path / "deleted")
        chunk = [SourceItem("a", "b")]
        assert list(predict_chunks(_Collecting(), iter([chunk]), workers=1)) == [(chunk, [{}])]
        assert not (tmp_path / "deleted").exists()
    finally:
        gc.enable()
    gc.collect()
    assert (tmp_path / "deleted").read_text() == str(os.getpid())


def kill(name):
    """Kills a process that does this, of the Ray that this process has started; returns whether there is one."""
    table = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    processes = [line.split(None, 2) for line in table.splitlines()]
    raylets = {pid for pid, parent, _ in processes if int(parent) == os.getpid()}
    pids = [int(pid) for pid, parent, args in processes if parent in raylets and args.startswith(f"ray::{name}")]
    if pids:
        os.kill(pids[0], signal.SIGKILL)
    return bool(pids)


def test_two_actors_give_the_same_bytes_whatever_is_killed(ray, tag, monkeypatch):
    """The run before them, the process that takes chunks from the feed, an actor: each costs time alone."""
    num_appended, killed = 0, []

    def append(self, entries, unbroken=Journal.append):
        nonlocal num_appended
        num_appended += 1
        if num_appended == 4:
            raise KeyboardInterrupt
        if num_appended == 7:
            killed.append(kill("MapBatches(fed_chunks)"))
        if num_appended == 9:
            killed.append(kill("MapWorker(MapBatches(ChunkPredictor)"))
        return unbroken(self, entries)

    expected = tag("expected.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", append)
        with pytest.raises(SystemExit):
            tag("found.jsonl")
        assert tag("found.jsonl", "--resume", "--ray", "--workers", 2) == expected
    # 26 chunks, of which the first run predicted three, and one in vain.
    assert num_appended == 27 and killed == [True, True]
    assert expected.count(b'"error"') == 1


def test_actors_that_fail(ray, tagger, monkeypatch):
    def fail(*arguments):
        raise ray.exceptions.RaySystemError("died:\nValueError: no such thing")
        yield

    monkeypatch.setattr(workers, "_fed_predictions", fail)
    with pytest.raises(ConfigurationError, match="found actors that fail .ValueError: no such thing., expected them"):
        list(predict_over_ray(tagger, iter([[SourceItem("here", "Mara")]]), workers=0))


def test_a_cluster_that_is_not_there(monkeypatch):
    def init(address, **options):
        assert address == "head:6379" and set(options) == {"logging_level", "log_to_driver"}
        raise ConnectionError("nobody answers")

    absent = SimpleNamespace(is_initialized=lambda: False, init=init)
    expected = "found no Ray at head:6379 .nobody answers., expected a cluster"
    with pytest.raises(ConfigurationError, match=expected), workers._started(absent, "head:6379", 2):
        pass


def test_what_an_actor_does(tagger):
    copy = pickle.loads(pickle.dumps(tagger))
    chunks = [[SourceItem("here", "Mara left."), SourceItem("there", ConfigurationError("bad"))], []]
    found = ChunkPredictor(copy)({"chunk": list(map(pickle.dumps, chunks))})["predictions"]
    assert [pickle.loads(predictions) for predictions in found] == [
        [tagger("Mara left."), {"error": "bad", "index": 1}],
        [],
    ]


def test_without_ray(tag, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigurationError, match=r"found no ray, expected it for --ray: pip install nerzoo\[ray\]"):
        tag("output.jsonl", "--ray")


def test_a_gpu_of_this_process(tag):
    with pytest.raises(ConfigurationError, match="found --cuda-device 0 and --ray, expected one of them"):
        tag("output.jsonl", "--ray", "--cuda-device", 0)


def run(scenario):
    asyncio.run(asyncio.wait_for(scenario(), timeout=10))


def test_a_chunk_is_given_once_it_is_there():
    async def scenario():
        feed = Feed()
        waiting = asyncio.create_task(feed.take(1))
        await feed.put(0, b"first", 0)
        await asyncio.sleep(0)
        assert not waiting.done()
        await feed.put(1, b"second", 0)
        assert await waiting == b"second"

    run(scenario)


def test_who_starts_anew_gets_all_that_is_not_done():
    async def scenario():
        feed = Feed()
        for number, chunk in enumerate([b"first", b"second", None]):
            await feed.put(number, chunk, 0)
        for _ in range(2):
            assert [await feed.take(number) for number in range(3)] == [b"first", b"second", None]

    run(scenario)


def test_what_is_done_is_forgotten_but_keeps_its_number():
    async def scenario():
        feed = Feed()
        for number, chunk in enumerate([b"first", b"second", b"third"]):
            await feed.put(number, chunk, max(0, number - 1))
        await feed.put(3, None, 2)
        assert pickle.loads(await feed.take(0)) == pickle.loads(await feed.take(1)) == []
        assert [await feed.take(number) for number in (2, 3)] == [b"third", None]
        assert set(feed._chunks) == {2, 3}

    run(scenario)


def test_calls_may_come_in_another_order():
    async def scenario():
        feed = Feed()
        await feed.put(2, b"third", 2)
        await feed.put(1, b"second", 1)
        await feed.put(3, None, 3)
        assert [await feed.take(number) for number in range(3)] == 3 * [pickle.dumps([])]
        assert await feed.take(3) is None and set(feed._chunks) == {3}

    run(scenario)

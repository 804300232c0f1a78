"""Prediction of chunks of items in this process, in worker processes, or by actors of Ray, perhaps on a cluster."""

import asyncio
import gc
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, Deque, Dict, Generator, Iterator, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import extra
from nerzoo.inference.sources import SourceItem
from nerzoo.inference.tagger import Tagger

Chunk = List[SourceItem]
Predictions = List[Dict[str, Any]]

# The numbers of chunks that wait for each worker process, and for each actor, where they take longer to arrive.
_AHEAD_PER_PROCESS = 2
_AHEAD_PER_ACTOR = 4
# A chunk is predicted so many times again after its actor was killed, before the run fails.
_RETRIES = 3

_RAY_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Otherwise, under `uv run`, Ray copies the whole folder to its workers, data and models included.
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}

# The tagger of a worker process.
_taggers: List[Tagger] = []


def predict_chunk(tagger: Tagger, chunk: Chunk) -> Predictions:
    """Returns the predictions for the items of a chunk, and errors in their places, as `Tagger` yields them."""
    return list(tagger([item.inputs for item in chunk], errors="yield"))


def predict_chunks(tagger: Tagger, chunks: Iterator[Chunk], workers: int = 0) -> Iterator[Tuple[Chunk, Predictions]]:
    """
    Yields each chunk with its predictions, in order, from `workers` processes with one thread each, or from this
    process if 0. A few chunks are in memory. Raises `ConfigurationError` where a worker has been killed.
    """
    if workers == 0:
        for chunk in chunks:
            yield chunk, predict_chunk(tagger, chunk)
        return
    # A child of a process that has used a GPU cannot use it. Elsewhere children copy only memory that they change.
    method = "fork" if sys.platform == "linux" and not tagger.is_on_gpu else "spawn"
    context = multiprocessing.get_context(method)
    executor = ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(tagger,))
    submitted = ((chunk, executor.submit(_predict_in_worker, chunk)) for chunk in chunks)
    try:
        waiting = deque(islice(submitted, _AHEAD_PER_PROCESS * workers))
        while waiting:
            waiting.extend(islice(submitted, 1))
            chunk, future = waiting.popleft()
            yield chunk, future.result()
    except BrokenProcessPool as error:
        raise ConfigurationError("found a worker process that was killed, expected all to live") from error
    finally:
        executor.shutdown(cancel_futures=True)


def _start_worker(tagger: Tagger) -> None:
    start_worker()
    _taggers.append(tagger)


def start_worker() -> None:
    """
    Gives this process one thread, and keeps what is not its own. Ends it when its parent has been killed, which it
    would wait for forever.
    """
    # A fork that collects a session of ONNX Runtime of its parent waits forever for threads that only the parent has.
    gc.freeze()
    torch.set_num_threads(1)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while True:
        time.sleep(1)
        # Again and again: what runs now may catch it.
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)


def _predict_in_worker(chunk: Chunk) -> Predictions:
    return predict_chunk(_taggers[0], chunk)


def predict_over_ray(
    tagger: Tagger, chunks: Iterator[Chunk], workers: int, address: str = "local"
) -> Iterator[Tuple[Chunk, Predictions]]:
    """
    Yields each chunk with its predictions, in order, as `predict_chunks` does; actors of Ray Data predict them. Where
    an actor is killed, its chunks are predicted again.

    Each of the `workers` actors has a GPU, or a part of a GPU, if there are any, or else a CPU; 0: as many as there are
    GPUs or CPUs. `address` is that of a cluster, as `ray.init` takes it; `"local"` starts Ray on this machine for this
    call. Ray that this process has started already is used as it is. Raises `ConfigurationError` where Ray is missing,
    there is none at the address, or an actor fails again and again.
    """
    ray = _ray()
    with _started(ray, address, workers):
        workers = workers or int(ray.cluster_resources().get("GPU", 0) or ray.cluster_resources()["CPU"])
        feed = ray.remote(num_cpus=0)(Feed).remote()
        predictions = _fed_predictions(ray, tagger, feed, workers)
        waiting: Deque[Chunk] = deque()
        num_read = 0
        try:
            for chunk in chunks:
                feed.put.remote(num_read, pickle.dumps(chunk), num_read - len(waiting))
                waiting.append(chunk)
                num_read += 1
                if len(waiting) > _AHEAD_PER_ACTOR * workers:
                    yield waiting.popleft(), next(predictions)
            feed.put.remote(num_read, None, num_read - len(waiting))
            for chunk_predictions in predictions:
                yield waiting.popleft(), chunk_predictions
        except ray.exceptions.RayError as error:
            found = str(error).strip().splitlines()[-1]
            raise ConfigurationError(f"found actors that fail ({found}), expected them to predict") from error
        finally:
            predictions.close()
            ray.kill(feed)


def _ray() -> Any:
    for name, value in _RAY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    with extra("ray", " for --ray"):
        import ray
        import ray.data
    # The workers that feed run `Feed` and `fed_chunks` without the import of this package, which takes seconds.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


@contextmanager
def _started(ray: Any, address: str, workers: int) -> Iterator[None]:
    if ray.is_initialized():
        yield
        return
    quiet: Dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == "local":
        quiet.update(include_dashboard=False, num_cpus=workers or None, _node_ip_address="127.0.0.1")
    try:
        ray.init(address, **quiet)
    # Ray has no class for these.
    except Exception as error:
        raise ConfigurationError(f"found no Ray at {address} ({error}), expected a cluster") from error
    try:
        yield
    finally:
        ray.shutdown()


def _fed_predictions(ray: Any, tagger: Tagger, feed: Any, workers: int) -> Generator[Predictions, None, None]:
    gpus = int(ray.cluster_resources().get("GPU", 0))
    start = ray.data.from_items([0])
    chunks = start.map_batches(fed_chunks, batch_size=None, num_cpus=0, fn_kwargs={"feed": feed})
    predicted = chunks.map_batches(
        ChunkPredictor,
        fn_constructor_args=(tagger,),
        batch_size=None,
        compute=ray.data.ActorPoolStrategy(size=workers),
        num_cpus=0 if gpus else 1,
        # Actors share a GPU; no actor has parts of several ones.
        num_gpus=1 / -(-workers // gpus) if gpus else 0,
        max_task_retries=_RETRIES,
    )
    # Each chunk is a block of its own, which goes on at once.
    predicted.context.target_max_block_size = 1
    predicted.context.execution_options.preserve_order = True
    predicted.context.enable_progress_bars = False
    for row in predicted.iter_rows():
        yield pickle.loads(row["predictions"])


class Feed:
    """
    An actor between this process, which reads chunks, and the first step of a Ray dataset, on any machine. It keeps
    chunks until their predictions are here: a process that took them may be killed, and start anew from the first one.
    """

    def __init__(self) -> None:
        self._chunks: Dict[int, Optional[bytes]] = {}
        self._num_done = 0
        self._changed = asyncio.Condition()

    async def put(self, number: int, chunk: Optional[bytes], num_done: int) -> None:
        """Adds a chunk, or `None` for the end, and forgets the first ones, which are done. Calls come in any order."""
        async with self._changed:
            self._chunks[number] = chunk
            self._num_done = max(self._num_done, num_done)
            for done in [place for place in self._chunks if place < self._num_done]:
                del self._chunks[done]
            self._changed.notify_all()

    async def take(self, number: int) -> Optional[bytes]:
        """Returns a chunk, once it is there, or `None` for the end; an empty chunk in place of one that is done."""
        async with self._changed:
            await self._changed.wait_for(lambda: number < self._num_done or number in self._chunks)
            return pickle.dumps([]) if number < self._num_done else self._chunks[number]


def fed_chunks(batch: Any, feed: Any) -> Iterator[Dict[str, List[bytes]]]:
    """Yields the chunks of a feed, an actor, as batches of a Ray dataset. The batch that starts it has no content."""
    # An extra of this package.
    import ray

    number = 0
    while (chunk := ray.get(feed.take.remote(number))) is not None:
        yield {"chunk": [chunk]}
        number += 1


class ChunkPredictor:
    """An actor that predicts chunks, on its GPU, if it has one, or in one thread."""

    def __init__(self, tagger: Tagger) -> None:
        torch.set_num_threads(1)
        tagger.move_to(0 if torch.cuda.is_available() else -1)
        self._tagger = tagger

    def __call__(self, batch: Dict[str, Any]) -> Dict[str, List[bytes]]:
        """Maps pickled chunks to pickled predictions."""
        return {"predictions": [pickle.dumps(predict_chunk(self._tagger, pickle.loads(c))) for c in batch["chunk"]]}

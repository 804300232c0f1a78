"""The processes that predict as actors of Ray, on this machine or on those of a cluster."""

import logging
import os
import pickle
from collections import deque
from contextlib import contextmanager
from typing import Any, Deque, Dict, Generator, Iterator, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import extra
from nerzoo.inference import ray_feed
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.workers import Chunk, Predictions, predict_chunk

_AHEAD = 4
"""How many chunks wait for each actor: more than for processes, since they take longer to arrive."""

_RETRIES = 3
"""How often a chunk is predicted again after its actor was killed, before the run gives up."""

_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Otherwise, under `uv run`, Ray copies the whole folder to its workers, data and models included.
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}


class ChunkPredictor:
    """What an actor does: predicts chunks, on its GPU, if it has one, or in one thread."""

    def __init__(self, tagger: Tagger) -> None:
        torch.set_num_threads(1)
        tagger.move_to(0 if torch.cuda.is_available() else -1)
        self._tagger = tagger

    def __call__(self, batch: Dict[str, Any]) -> Dict[str, List[bytes]]:
        """Maps pickled chunks to pickled predictions."""
        return {"predictions": [pickle.dumps(predict_chunk(self._tagger, pickle.loads(c))) for c in batch["chunk"]]}


def predict_over_ray(
    tagger: Tagger, chunks: Iterator[Chunk], workers: int, address: str = "local"
) -> Iterator[Tuple[Chunk, Predictions]]:
    """
    Yields each chunk with its predictions, in order, as `predict_chunks` does; actors of Ray Data predict them. Chunks
    are read here, a few ahead. Where an actor is killed, its chunks are predicted again.

    # Parameters

    tagger : `Tagger`
    chunks : `Iterator[Chunk]`
        A few of them are in memory.
    workers : `int`
        The number of actors, of which each has a GPU, or a part of one, if there are any, or else a CPU. 0: as many as
        there are GPUs or CPUs.
    address : `str`, optional (default = `"local"`)
        That of a cluster, as `ray.init` takes it; `"local"` starts Ray on this machine, for as long as this takes. What
        has been started in this process already is used as it is.

    # Raises

    `ConfigurationError` where Ray is missing, there is none at the address, or an actor fails again and again.
    """
    ray = _ray()
    with _started(ray, address, workers):
        workers = workers or int(ray.cluster_resources().get("GPU", 0) or ray.cluster_resources()["CPU"])
        feed = ray.remote(num_cpus=0)(ray_feed.Feed).remote()
        predictions = _fed_predictions(ray, tagger, feed, workers)
        waiting: Deque[Chunk] = deque()
        num_read = 0
        try:
            for chunk in chunks:
                feed.put.remote(num_read, pickle.dumps(chunk), num_read - len(waiting))
                waiting.append(chunk)
                num_read += 1
                if len(waiting) > _AHEAD * workers:
                    yield waiting.popleft(), next(predictions)
            feed.put.remote(num_read, None, num_read - len(waiting))
            for of_chunk in predictions:
                yield waiting.popleft(), of_chunk
        except ray.exceptions.RayError as error:
            found = str(error).strip().splitlines()[-1]
            raise ConfigurationError(f"found actors that fail ({found}), expected them to predict") from error
        finally:
            predictions.close()
            ray.kill(feed)


def _ray() -> Any:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    with extra("ray", " for --ray"):
        import ray
        import ray.data
    # Workers that feed do without importing this package, which takes seconds.
    ray.cloudpickle.register_pickle_by_value(ray_feed)
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


def _fed_predictions(ray: Any, tagger: Tagger, feed: Any, workers: int) -> Generator[Predictions, None, None]:
    gpus = int(ray.cluster_resources().get("GPU", 0))
    start = ray.data.from_items([0])
    chunks = start.map_batches(ray_feed.fed_chunks, batch_size=None, num_cpus=0, fn_kwargs={"feed": feed})
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

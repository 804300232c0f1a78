import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Deque, Dict, Iterator, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.inference.sources import SourceItem
from nerzoo.inference.tagger import Tagger

Chunk = List[SourceItem]
Predictions = List[Dict[str, Any]]

_AHEAD = 2
"""How many chunks wait for each worker."""

_taggers: List[Tagger] = []
"""The tagger of a worker process."""


def predict_chunk(tagger: Tagger, chunk: Chunk) -> Predictions:
    """Returns the predictions for the items of a chunk; in place of those that have none `{"error": ...}`."""
    predictions = tagger([item.inputs for item in chunk if item.error is None], errors="yield")
    results = [next(predictions) if item.error is None else {"error": item.error} for item in chunk]
    return [{"error": result["error"]} if "error" in result else result for result in results]


def predict_chunks(tagger: Tagger, chunks: Iterator[Chunk], workers: int = 0) -> Iterator[Tuple[Chunk, Predictions]]:
    """
    Yields each chunk with its predictions, in order.

    # Parameters

    tagger : `Tagger`
    chunks : `Iterator[Chunk]`
        A few of them are in memory.
    workers : `int`, optional (default = `0`)
        The number of processes that predict, each with one thread; 0: this process.

    # Raises

    `ConfigurationError` where a worker has been killed.
    """
    if workers == 0:
        for chunk in chunks:
            yield chunk, predict_chunk(tagger, chunk)
        return
    # A child of a process that has used a GPU cannot use it. Elsewhere children take nothing but what they change.
    method = "fork" if sys.platform == "linux" and not tagger.is_on_gpu else "spawn"
    context = multiprocessing.get_context(method)
    executor = ProcessPoolExecutor(workers, context, initializer=_start, initargs=(tagger,))
    waiting: Deque[Tuple[Chunk, Future]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, executor.submit(_predict, chunk)))
            if len(waiting) > _AHEAD * workers:
                chunk, future = waiting.popleft()
                yield chunk, future.result()
        while waiting:
            chunk, future = waiting.popleft()
            yield chunk, future.result()
    except BrokenProcessPool as error:
        raise ConfigurationError("found a worker process that was killed, expected all to live") from error
    finally:
        executor.shutdown(cancel_futures=True)


def _start(tagger: Tagger) -> None:
    torch.set_num_threads(1)
    _taggers.append(tagger)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """Ends this process when its parent has been killed, which it would wait for forever."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _predict(chunk: Chunk) -> Predictions:
    return predict_chunk(_taggers[0], chunk)

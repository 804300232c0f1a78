import asyncio
import pickle
from typing import Any, Dict, Iterator, List, Optional

_EMPTY = pickle.dumps([])


class Feed:
    """
    What is between this process, which reads chunks, and the first step of a Ray dataset, which is somewhere else: an
    actor that has the chunks of which no predictions have come back yet. It keeps those that have been taken, for the
    case that whoever took them is killed and starts anew, from the first one.
    """

    def __init__(self) -> None:
        self._chunks: Dict[int, Optional[bytes]] = {}
        self._num_done = 0
        self._changed = asyncio.Condition()

    async def put(self, number: int, chunk: Optional[bytes], num_done: int) -> None:
        """
        Adds a chunk, or `None` for the end, by its number from 0; forgets the first ones, which are done. Calls may
        come in another order than they were made.
        """
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
            return _EMPTY if number < self._num_done else self._chunks[number]


def fed_chunks(batch: Any, feed: Any) -> Iterator[Dict[str, List[bytes]]]:
    """
    Yields the chunks of a feed as batches of a Ray dataset, without regard to the batch that starts it.

    # Parameters

    batch : `Dict[str, numpy.ndarray]`
    feed : `ActorHandle`
    """
    # An extra of this package.
    import ray

    number = 0
    while (chunk := ray.get(feed.take.remote(number))) is not None:
        yield {"chunk": [chunk]}
        number += 1

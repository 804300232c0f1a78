"""Batches of a limited size, of items of similar sizes."""

from typing import List, Sequence

BATCH_TOKENS = 4096
"""The number of tokens of a batch, unless something else is asked for."""

LONG_WORD = 100
"""The number of characters from which on words count for more than one token: sentences are padded to the longest."""


def sentence_size(words: Sequence[str]) -> int:
    """Returns the number of tokens of a sentence, of which those that are very long words count several times."""
    return len(words) * (1 + max(map(len, words), default=0) // LONG_WORD)


def token_batches(sizes: Sequence[int], batch_tokens: int) -> List[List[int]]:
    """
    Divides items into batches of items of similar sizes, so that little is padding.

    # Parameters

    sizes : `Sequence[int]`
        The number of tokens of each item.
    batch_tokens : `int`
        The number of tokens of a batch, padding included; an item that is larger is a batch of its own.

    # Returns

    `List[List[int]]`
        The positions of the items of each batch; the batches of the largest ones come first.
    """
    batches: List[List[int]] = []
    capacity = 0
    for position in sorted(range(len(sizes)), key=lambda position: -sizes[position]):
        if not batches or len(batches[-1]) == capacity:
            batches.append([])
            capacity = max(1, batch_tokens // max(1, sizes[position]))
        batches[-1].append(position)
    return batches

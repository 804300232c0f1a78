"""Batches of a limited number of tokens, from items of similar sizes."""

from typing import List, Sequence

BATCH_TOKENS = 4096
"""The default number of tokens of a batch."""

LONG_WORD = 100
"""Words of this many characters count as more than one token, since sentences are padded to the longest word."""


def sentence_size(words: Sequence[str]) -> int:
    """Returns the number of tokens of a sentence, multiplied if it has a very long word."""
    return len(words) * (1 + max(map(len, words), default=0) // LONG_WORD)


def token_batches(sizes: Sequence[int], batch_tokens: int) -> List[List[int]]:
    """
    Groups items of these numbers of tokens into batches of similar ones, of up to `batch_tokens` tokens with padding; a
    larger item is a batch of its own. Returns the positions of the items of each batch, the largest items first.
    """
    batches: List[List[int]] = []
    capacity = 0
    for position in sorted(range(len(sizes)), key=lambda position: -sizes[position]):
        if not batches or len(batches[-1]) == capacity:
            batches.append([])
            capacity = max(1, batch_tokens // max(1, sizes[position]))
        batches[-1].append(position)
    return batches

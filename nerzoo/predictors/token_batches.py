from typing import List, Sequence


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

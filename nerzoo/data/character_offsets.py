from typing import List, Sequence


def character_offsets(words: Sequence[str], text: str) -> List[int]:
    """
    Where each of `words` starts in `text`, which holds them in this order with nothing but white space between.

    Raises `ValueError` where `text` does not hold a word.
    """
    offsets, end = [], 0
    for word in words:
        offsets.append(text.index(word, end))
        end = offsets[-1] + len(word)
    return offsets

"""Features of one span at a time, written as in the thesis, as oracles in float64."""

import torch


def recursion(vectors, alpha):
    """Computes equation 3.1 over vectors (T, D); zero for T = 0."""
    code = vectors.new_zeros(vectors.shape[1], dtype=torch.float64)
    for vector in vectors.double():
        code = alpha * code + vector
    return code


def every_span(lengths, max_length):
    """Returns all spans of sentences of these lengths, shape (S, 3)."""
    return torch.tensor(
        [
            (sentence, start, end)
            for sentence, length in enumerate(lengths)
            for start in range(length)
            for end in range(start + 1, min(start + max_length, length) + 1)
        ]
    )


def word_characters(words, width):
    """
    Returns the padded output of the indexer `characters`, one index per character, for sentences of words, and its
    mask.
    """
    longest = max(map(len, words))
    characters = torch.zeros(len(words), longest, width, dtype=torch.long)
    mask = torch.zeros(len(words), longest, dtype=torch.bool)
    for sentence, row in enumerate(words):
        for position, word in enumerate(row):
            characters[sentence, position, : len(word)] = torch.tensor([ord(letter) - 96 for letter in word])
            mask[sentence, position] = True
    return characters, mask

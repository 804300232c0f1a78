"""
Spans, the runs of up to n tokens of a sentence, as grids of shape (B, T, n), where [b, start, length - 1] stands
for one span of sentence b, and as indices.
"""

import torch
from torch.nn.functional import pad


def span_mask(mask: torch.BoolTensor, max_length: int) -> torch.BoolTensor:
    """
    Which places of the grid are spans, the others reaching beyond their sentences.

    # Parameters

    mask : `torch.BoolTensor`, (B, T)
        Real tokens, which stand at the left.
    max_length : `int`
        n.

    # Returns

    `torch.BoolTensor`, (B, T, n)
    """
    # A span is in the sentence if its last token is.
    return _tokens_ahead(mask, max_length)


def overlapping(inside: torch.BoolTensor, max_length: int) -> torch.BoolTensor:
    """
    Which spans share a token with an entity: those that are entities, are in one, contain one or cross one.

    # Parameters

    inside : `torch.BoolTensor`, (B, T)
        Whether a token is in an entity.
    max_length : `int`
        n.

    # Returns

    `torch.BoolTensor`, (B, T, n)
    """
    return _tokens_ahead(inside, max_length).cumsum(2) > 0


def span_indices(chosen: torch.BoolTensor) -> torch.LongTensor:
    """
    # Parameters

    chosen : `torch.BoolTensor`, (B, T, n)

    # Returns

    `torch.LongTensor`, (S, 3)
        The sentence, the start and the end, exclusive, of each of the S chosen spans, in order. S may be 0.
    """
    sentences, starts, places = chosen.nonzero().unbind(1)
    return torch.stack([sentences, starts, starts + places + 1], dim=1)


def _tokens_ahead(of_tokens: torch.BoolTensor, max_length: int) -> torch.BoolTensor:
    """What is said of the n tokens from each one on, False beyond the end, shape (B, T, n)."""
    return pad(of_tokens, (0, max_length - 1)).unfold(1, max_length, 1)

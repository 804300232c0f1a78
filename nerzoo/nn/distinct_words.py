"""The distinct words of a batch, so that what is computed of a word is computed once."""

from typing import NamedTuple, Optional

import torch


class DistinctWords(NamedTuple):
    """The N distinct words of a batch."""

    words: torch.Tensor
    """Shape (N,)."""
    characters: torch.Tensor
    """Shape (N, C)."""
    num_known: torch.Tensor
    """Shape (N,). The number of times that a word is in the batch, 0 if it is unknown."""
    rows: torch.Tensor
    """Shape (B, T). The row that each word of the batch has in the other tensors."""


def distinct_words(
    words: torch.Tensor,
    known: torch.BoolTensor,
    characters: torch.Tensor,
    rows: Optional[torch.Tensor],
) -> DistinctWords:
    """
    # Parameters

    words : `torch.LongTensor`
        Shape (B, T).
    known : `torch.BoolTensor`
        Shape (B, T). Which words the vocabulary has.
    characters : `torch.LongTensor`
        Shape (N, C), of the distinct words; where no `rows` tell words apart, shape (B, T, C).
    rows : `torch.LongTensor`, optional
        Shape (B, T). The row of `characters` that each word has. Without it, every token is a word of its own.
    """
    if rows is None:
        rows = torch.arange(words.numel(), device=words.device).view_as(words)
        return DistinctWords(words.flatten(), characters.flatten(0, 1), known.flatten().long(), rows)
    of_row = words.new_zeros(len(characters)).scatter(0, rows.flatten(), words.flatten())
    num_known = torch.zeros_like(of_row).scatter_add(0, rows.flatten(), known.flatten().long())
    return DistinctWords(of_row, characters, num_known, rows)

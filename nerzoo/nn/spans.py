"""
Spans of up to n tokens in two forms: as cells of a grid of shape (B, T, n), in which the cell [b, start, length - 1]
is a span of sentence b; and as indices of shape (S, 3): the sentence, the start and the end, exclusive, of S spans.
"""

from typing import Tuple, cast

import torch
from torch.nn.functional import pad


def span_mask(mask: torch.Tensor, max_length: int) -> torch.BoolTensor:
    """
    Marks the cells (B, T, n) whose last token is marked in (B, T). Given the mask of sentences, which is true at the
    left, these are the spans inside their sentences.
    """
    return cast(torch.BoolTensor, following(mask, max_length))


def following(values: torch.Tensor, count: int) -> torch.Tensor:
    """Returns for each token of (B, T, ...) the values of `count` tokens from it on, (B, T, count, ...), then zeros."""
    rows = torch.arange(values.size(1), device=values.device).unsqueeze(1)
    padded = pad(values, (0, 0) * (values.dim() - 2) + (0, count - 1))
    return padded[:, rows + torch.arange(count, device=values.device)]


def overlap_mask(inside: torch.Tensor, max_length: int) -> torch.BoolTensor:
    """Marks the cells (B, T, n) that share a token with an entity, given whether each token (B, T) is inside one."""
    return cast(torch.BoolTensor, span_mask(inside, max_length).cumsum(2) > 0)


def span_indices(chosen: torch.Tensor) -> torch.Tensor:
    """Turns marked cells (B, T, n) into indices (S, 3), in order of sentence, start and end. S may be 0."""
    sentences, starts, columns = chosen.nonzero().unbind(1)
    return torch.stack([sentences, starts, starts + columns + 1], dim=1)


def span_cells(spans: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turns indices (S, 3) into cells, three tensors (S,): `grid[span_cells(spans)]` are their rows of a grid."""
    sentences, starts, ends = spans.unbind(1)
    return sentences, starts, ends - starts - 1

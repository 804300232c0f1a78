"""Overlapping windows over the pieces of long texts."""

from typing import NamedTuple

import torch


class Windows(NamedTuple):
    """
    The R windows over the N pieces of B texts: the text (R,), the first piece (R,) and the number of pieces (R,) of
    each; and of each piece its word (B, N), and the window (B, N) and the place in the window (B, N) that it is read
    at. Those of pieces after the end of a text have no meaning, but are indices.
    """

    texts: torch.Tensor
    starts: torch.Tensor
    lengths: torch.Tensor
    words: torch.Tensor
    windows: torch.Tensor
    places: torch.Tensor


def overlapping_windows(counts: torch.Tensor, num_pieces: int, size: int) -> Windows:
    """
    Lays windows of up to `size` pieces over texts, each half over the one before it, from the number of pieces of each
    word (B, T). N, `num_pieces`, is the number of pieces of the longest text, at least 1.

    A text of up to `size` pieces has one window. In a longer one all windows are full, and each word is read in the
    window with most context around its middle: that whose middle is nearest. All of a word is in this window unless the
    word has more pieces than two windows share; then each of its pieces counts as a word. On a GPU, only texts of
    several windows make the host wait.
    """
    device = counts.device
    lengths = counts.sum(1)
    stride = (size + 1) // 2
    most = max(num_pieces - size + stride - 1, 0) // stride + 1
    needed = (lengths - size + stride - 1).clamp(min=0) // stride + 1
    # shape: (B, W), the first piece of each window
    starts = torch.arange(most, device=device) * stride
    starts = torch.minimum(starts, (lengths - size).clamp(min=0).unsqueeze(1))
    if most == 1:
        texts, numbers = torch.arange(len(counts), device=device), torch.zeros_like(lengths)
    else:
        texts, numbers = (torch.arange(most, device=device) < needed.unsqueeze(1)).nonzero(as_tuple=True)
    # shape: (B, N)
    positions = torch.arange(num_pieces, device=device).expand(len(counts), -1).contiguous()
    ends = counts.cumsum(1)
    words = torch.searchsorted(ends, positions, right=True).clamp(max=counts.shape[1] - 1)
    count, last = counts.gather(1, words), ends.gather(1, words) - 1
    # Twice the middle of each piece's word, and twice the middle between the middles of neighbouring windows.
    middles = torch.where(count <= size - stride, 2 * last + 1 - count, 2 * positions)
    bounds = (starts[:, 1:] + starts[:, :-1] + size - 1).contiguous()
    chosen = torch.minimum(torch.searchsorted(bounds, middles), (needed - 1).unsqueeze(1))
    return Windows(
        texts,
        starts[texts, numbers],
        lengths[texts].clamp(max=size),
        words,
        (needed.cumsum(0) - needed).unsqueeze(1) + chosen,
        (positions - starts.gather(1, chosen)).clamp(0, size - 1),
    )

"""Against the choice of each word's window by hand, one text after another."""

import hypothesis.strategies as some
import pytest
import torch
from hypothesis import given, settings

from nerzoo.nn.windows import overlapping_windows


def plain_starts(num_pieces, size):
    """The first pieces of the windows of a text."""
    starts, stride = [0], (size + 1) // 2
    while starts[-1] + size < num_pieces:
        starts.append(min(starts[-1] + stride, num_pieces - size))
    return starts


def context(first, last, start, size, num_pieces):
    """The number of pieces on the shorter side of a word in a window, doubled; the bounds of a text limit no side."""
    middle = first + last
    left = middle - 2 * start if start else float("inf")
    right = 2 * (start + size - 1) - middle if start + size < num_pieces else float("inf")
    return min(left, right)


def check(texts, size):
    num_words, num_pieces = max(map(len, texts)), max(1, *map(sum, texts))
    counts = torch.tensor([text + [0] * (num_words - len(text)) for text in texts])
    found = overlapping_windows(counts, num_pieces, size)
    row = 0
    for i, text in enumerate(texts):
        starts, length = plain_starts(sum(text), size), sum(text)
        rows = range(row, row + len(starts))
        assert found.texts[rows].tolist() == [i] * len(starts)
        assert found.starts[rows].tolist() == starts
        assert found.lengths[rows].tolist() == [min(length, size)] * len(starts)
        piece = 0
        for word, count in enumerate(text):
            for position in range(piece, piece + count):
                bounds = (piece, piece + count - 1) if count <= size // 2 else (position, position)
                most = max(context(*bounds, start, size, length) for start in starts)
                window, place = int(found.windows[i, position]) - row, int(found.places[i, position])
                assert found.words[i, position] == word
                # Every piece is read, at its own place, in a window with most context.
                assert starts[window] + place == position and 0 <= place < min(size, length)
                assert context(*bounds, starts[window], size, length) == most
                # A word is in one window if two windows share as many pieces.
                assert count > size // 2 or starts[window] <= piece and piece + count <= starts[window] + size
            piece += count
        row += len(starts)
    assert len(found.texts) == row


@settings(deadline=None, max_examples=200)
@given(
    some.lists(some.lists(some.integers(0, 9), min_size=1, max_size=20), min_size=1, max_size=4), some.integers(1, 12)
)
def test_each_piece_is_read_where_it_has_most_context(texts, size):
    check(texts, size)


@pytest.mark.parametrize("num_words", [1, 509, 510, 511, 1020, 20_000])
def test_long_texts(num_words):
    generator = torch.Generator().manual_seed(num_words)
    counts = torch.randint(0, 4, (1, num_words), generator=generator)
    num_pieces = max(1, int(counts.sum()))
    found = overlapping_windows(counts, num_pieces, 510)
    read = found.starts[found.windows[0]] + found.places[0]
    assert torch.equal(read[: counts.sum()], torch.arange(int(counts.sum())))
    assert found.lengths.max() <= 510

import pytest
import torch

from nerzoo.nn.spans import overlap_mask, span_cells, span_indices, span_mask

LENGTHS = [5, 1, 0, 7, 3]


def random_tokens(seed=0):
    """A mask with a row of padding alone, and tokens that are inside entities."""
    mask = torch.arange(7) < torch.tensor(LENGTHS).unsqueeze(1)
    return mask, (torch.rand(5, 7, generator=torch.Generator().manual_seed(seed)) < 0.3) & mask


@pytest.mark.parametrize("max_length", [1, 2, 3, 7, 11])
def test_against_a_loop_over_spans(max_length):
    mask, inside = random_tokens()
    overlaps, is_span = overlap_mask(inside, max_length), span_mask(mask, max_length)
    assert overlaps.shape == is_span.shape == (5, 7, max_length)
    expected = []
    for sentence, length in enumerate(LENGTHS):
        for start in range(7):
            for end in range(start + 1, start + max_length + 1):
                at = sentence, start, end - start - 1
                assert is_span[at] == (end <= length)
                if end <= length:
                    expected.append([sentence, start, end])
                    assert overlaps[at] == any(inside[sentence, start:end].tolist())
    assert span_indices(is_span).tolist() == expected


def test_cells_and_indices_of_the_same_spans():
    mask, _ = random_tokens()
    is_span = span_mask(mask, 3)
    grid = torch.arange(is_span.numel()).view_as(is_span)
    assert torch.equal(grid[span_cells(span_indices(is_span))], grid[is_span])


def test_no_span_at_all():
    indices = span_indices(span_mask(torch.zeros(2, 3, dtype=torch.bool), 2))
    assert indices.shape == (0, 3)
    assert indices.dtype == torch.long

import pytest
import torch

from nerzoo.nn.batches import distinct_rows


@pytest.mark.parametrize("shape", [(11, 3), (1, 1), (5, 7)])
def test_finds_each_row_once(shape):
    torch.manual_seed(1)
    rows = torch.randint(2, shape)
    first, inverse = distinct_rows(rows)
    assert torch.equal(rows[first][inverse], rows)
    assert len(first) == len(rows.unique(dim=0))
    assert inverse.shape == shape[:1]


def test_rows_need_not_be_contiguous():
    rows = torch.tensor([[1, 2, 1], [3, 3, 3]]).t()
    first, inverse = distinct_rows(rows)
    assert torch.equal(rows[first][inverse], rows)
    assert len(first) == 2

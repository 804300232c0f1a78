import pytest
import torch
from torch.nn.utils import clip_grad_norm_

from nerzoo.nn.numerics import clip_gradients


@pytest.mark.parametrize("max_norm", [0.5, 100.0])
def test_gradients_are_clipped_alike_whether_sparse_or_not(max_norm):
    torch.manual_seed(1)
    weights, words = torch.randn(7, 3), torch.tensor([1, 4, 4, 0])
    linear = torch.randn(3)

    def clipped(sparse, clip):
        embedding, factor = torch.nn.Parameter(weights.clone()), torch.nn.Parameter(linear.clone())
        looked_up = torch.nn.functional.embedding(words, embedding, sparse=sparse)
        (looked_up @ factor).pow(2).sum().backward()
        assert embedding.grad.is_sparse == sparse
        norm = clip([embedding, factor], max_norm)
        return norm, embedding.grad.to_dense(), factor.grad

    expected = clipped(False, clip_grad_norm_)
    for sparse in (True, False):
        torch.testing.assert_close(clipped(sparse, clip_gradients), expected)

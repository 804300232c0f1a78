import pytest
import torch
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.memory import attend, attend_to_recent

BATCH, LENGTH, SIZE = 2, 7, 3


@pytest.fixture
def tensors():
    torch.manual_seed(13)
    return [torch.randn(BATCH, LENGTH, SIZE, dtype=torch.float64, requires_grad=True) for _ in range(3)]


def plain(queries, keys, values, visible, null_slot=False):
    scores = (queries @ keys.transpose(1, 2)).masked_fill(~visible, float("-inf"))
    if null_slot:
        scores = torch.cat([torch.zeros(BATCH, LENGTH, 1), scores], 2)
        values = torch.cat([torch.zeros(BATCH, 1, SIZE), values], 1)
    return scores.softmax(2) @ values


def assert_same(ours, theirs, tensors):
    assert_close(ours, theirs)
    ahead = torch.randn_like(ours)
    assert_close(torch.autograd.grad(ours, tensors, ahead), torch.autograd.grad(theirs, tensors, ahead))


def test_attention_without_scaling(tensors):
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    assert_same(attend(*tensors, is_causal=True), plain(*tensors, causal), tensors)
    assert_same(attend(*tensors, attn_mask=causal), plain(*tensors, causal), tensors)


@pytest.mark.parametrize("null_slot", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 8, 100])
def test_attention_to_recent_slots(tensors, size, null_slot):
    query, slot = torch.arange(LENGTH).unsqueeze(1), torch.arange(LENGTH)
    visible = (slot <= query) & (slot > query - size)
    ours = attend_to_recent(*tensors, size, null_slot)
    assert_same(ours, plain(*tensors, visible, null_slot), tensors)

import pytest
import torch
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.tree_lstm import TreeEncoder

HEADS = torch.tensor([[2, 0, 2, 0, 0], [0, 1, 1, -1, -1], [0, 0, -1, -1, -1], [-1, -1, -1, -1, -1]])
MASK = HEADS >= 0
ROOTS = [[1, 3, 4], [0], [0, 1], []]


@pytest.fixture
def outputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(*HEADS.shape, 3, dtype=torch.float64)


@pytest.mark.parametrize("padding_head", [-1, 0])
def test_root_state_is_the_mean_over_the_roots(outputs, padding_head):
    heads = HEADS.masked_fill(~MASK, padding_head)
    states = TreeEncoder(3, 3).root_state(outputs, MASK, heads)
    assert states.shape == (4, 3)
    for row, roots in enumerate(ROOTS):
        expected = sum(outputs[row, root] for root in roots) / len(roots) if roots else torch.zeros_like(states[row])
        assert_close(states[row], expected)


def test_root_state_has_the_precision_of_the_outputs(outputs):
    assert TreeEncoder(3, 3).root_state(outputs.bfloat16(), MASK, HEADS).dtype == torch.bfloat16


def test_has_one_direction():
    assert not TreeEncoder(3, 3).is_bidirectional()


def test_forward_is_left_to_subclasses(outputs):
    with pytest.raises(NotImplementedError):
        TreeEncoder(3, 3)(outputs, MASK, HEADS)

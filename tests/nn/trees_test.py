import pytest
import torch

from nerzoo.nn.trees import tree_levels

MASK = torch.tensor([[True, True, False], [True, True, True]])


def test_words_stand_in_the_order_of_their_depth():
    """2 -> 1 in the first sentence, 1 -> 3 -> 2 in the second one."""
    levels = tree_levels(torch.tensor([[0, 1, 0], [3, 0, 2]]), MASK)
    assert levels.sizes == [1, 2, 2]
    assert levels.order.tolist() == [3, 1, 5, 0, 4]
    assert levels.parent.tolist() == [2, 3, 4, 3, 4]
    assert levels.parent_in_level.tolist() == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("head", [-1, 3, 4])
def test_a_head_is_in_its_own_sentence(head):
    with pytest.raises(ValueError, match="outside its sentence"):
        tree_levels(torch.tensor([[0, head, 0], [3, 0, 2]]), MASK)

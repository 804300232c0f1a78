import pytest
import torch
from allennlp.data import Batch, Instance, Vocabulary
from allennlp.nn.util import move_to_device
from torch.testing import assert_close

from nerzoo.data.fields.levels_field import LevelsField
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm

TREES = [[2, 5, 2, 3, 0, 7, 5], [0], [0, 1, 0, 3, 3, 0, 8, 6]]


def batch(trees):
    batch = Batch([Instance({"levels": LevelsField(tree)}) for tree in trees])
    batch.index_instances(Vocabulary())
    return batch.as_tensor_dict()["levels"]


def test_the_words_of_a_batch_from_the_deepest_up():
    # 1 > 2 > 3 in the first sentence, 1 alone in the second one.
    levels = batch([[0, 1, 2], [0]])
    assert levels.sizes == [1, 1, 2]
    assert levels.order.tolist() == [2, 1, 0, 3]
    assert levels.parent.tolist() == [1, 2, 2, 3]
    assert levels.parent_in_level.tolist()[:2] == [0, 0]
    moved = move_to_device(levels, torch.device("cpu"))
    assert type(moved) is type(levels) and moved.sizes == levels.sizes


def test_an_encoder_needs_no_other_levels():
    torch.manual_seed(1)
    heads = torch.full((3, 8), -1)
    for row, tree in enumerate(TREES):
        heads[row, : len(tree)] = torch.tensor(tree)
    encoder, inputs = ChildSumTreeLstm(4, 3), torch.randn(3, 8, 4)
    found = encoder(inputs, heads >= 0, heads, batch(TREES))
    assert_close(found, encoder(inputs, heads >= 0, heads))
    assert not torch.equal(found, encoder(inputs, heads >= 0, heads, batch([TREES[0], [0], [0] * 8])))


def test_what_is_no_tree():
    assert len(LevelsField([2, 0])) == 2
    with pytest.raises(ValueError, match="outside its sentence"):
        LevelsField([0, 3])
    with pytest.raises(ValueError, match="cycle"):
        batch([[2, 1], [0]])

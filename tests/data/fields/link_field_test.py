from collections import defaultdict

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Vocabulary
from torch.testing import assert_close

from nerzoo.data.fields.link_field import LinkField

VOCAB = Vocabulary({"labels": {"answer": 3, "question": 2, "thanks": 1}})
FIRST = LinkField([[(0, "question")], [(1, "answer"), (0, "question")], [(2, "thanks")]], ["p1", "p2", "p3"])
SECOND = LinkField([[(0, "thanks")]], ["p1"])


def test_tensors_of_a_batch():
    batch = Batch([Instance({"links": FIRST}), Instance({"links": SECOND})])
    batch.index_instances(VOCAB)
    links = batch.as_tensor_dict()["links"]
    none = [-1, -1]
    assert_close(links["slots"], torch.tensor([[[0, -1], [1, 0], [2, -1]], [[0, -1], none, none]]))
    assert_close(links["acts"], torch.tensor([[[1, -1], [0, 1], [2, -1]], [[2, -1], none, none]]))
    assert len(FIRST) == 3


def test_every_act_counts():
    counter = defaultdict(lambda: defaultdict(int))
    LinkField([[(0, "a")], [(1, "b"), (0, "a")]], ["p1", "p2"], "acts").count_vocab_items(counter)
    assert counter == {"acts": {"a": 2, "b": 1}}


def test_an_unknown_act_names_the_post_and_the_known_acts():
    field = LinkField([[(0, "question")], [(0, "shout")]], ["file:1: post p1", "file:1: post p2"])
    message = (
        "file:1: post p2: found the dialogue act 'shout', which the model was not trained on; "
        "expected one of answer, question, thanks"
    )
    with pytest.raises(ConfigurationError, match=message):
        field.index(VOCAB)

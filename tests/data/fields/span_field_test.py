import pickle
from collections import defaultdict

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Vocabulary
from torch.testing import assert_close

from nerzoo.data.fields.span_fields import SpanField
from nerzoo.text.annotation import Entity

VOCAB = Vocabulary(tokens_to_add={"labels": ["PER", "LOC"], "other": ["LOC"]})


def tensors(*fields, vocab=VOCAB):
    batch = Batch([Instance({"spans": pickle.loads(pickle.dumps(field))}) for field in fields])
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["spans"]


def test_grid_of_labels_in_a_padded_batch():
    nested = SpanField([Entity(0, 3, "LOC"), Entity(1, 3, "PER"), Entity(2, 3, "LOC")], 5, max_length=3)
    spans = tensors(nested, SpanField([Entity(0, 1, "PER")], 1, max_length=3))
    none = [0, 0, 0]
    assert_close(
        spans["labels"],
        torch.tensor([[[0, 0, 2], [0, 1, 0], [2, 0, 0], none, none], [[1, 0, 0], none, none, none, none]]),
    )
    assert_close(spans["inside"], torch.tensor([[True] * 3 + [False] * 2, [True] + [False] * 4]))
    assert len(nested) == 5


def test_an_entity_longer_than_spans_has_no_label_but_its_tokens_are_inside():
    spans = tensors(SpanField([Entity(1, 5, "PER"), Entity(2, 3, "LOC")], 6, max_length=3))
    assert spans["labels"].nonzero().tolist() == [[0, 2, 0]]
    assert spans["inside"].tolist() == [[False, True, True, True, True, False]]


def test_without_entities_everything_is_none():
    spans = tensors(SpanField([], 2, max_length=7), vocab=Vocabulary())
    assert_close(spans["labels"], torch.zeros(1, 2, 7, dtype=torch.long))
    assert not spans["inside"].any()


def test_the_first_of_two_types_of_a_span_is_the_label_and_both_are_counted():
    field = SpanField([Entity(0, 2, "LOC"), Entity(0, 2, "PER")], 2, max_length=2, label_namespace="types")
    counter = defaultdict(lambda: defaultdict(int))
    field.count_vocab_items(counter)
    assert counter == {"types": {"LOC": 1, "PER": 1}}
    vocab = Vocabulary(counter, non_padded_namespaces=["types"])
    assert tensors(field, vocab=vocab)["labels"][0, 0, 1] == 1 + vocab.get_token_index("LOC", "types")


@pytest.mark.parametrize("unknown", [Entity(0, 1, "ORG"), Entity(0, 9, "ORG")])
def test_an_unseen_type_is_an_error_that_names_the_sentence_the_type_and_the_known_ones(unknown):
    field = SpanField([Entity(0, 1, "PER"), unknown], 9, max_length=3, location="file:3")
    with pytest.raises(ConfigurationError, match="^file:3: found an entity of type 'ORG'.*one of PER, LOC"):
        field.index(VOCAB)


@pytest.mark.parametrize("entity", [Entity(0, 3, "PER"), Entity(1, 1, "PER"), Entity(-1, 1, "PER")])
def test_an_entity_that_does_not_fit_is_an_error(entity):
    with pytest.raises(ValueError, match="does not fit into 2 tokens"):
        SpanField([entity], 2, max_length=3)

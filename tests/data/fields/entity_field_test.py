import pickle
from collections import defaultdict

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Vocabulary

from nerzoo.data.fields.span_fields import EntityField
from nerzoo.modules.span_decoders import ScoredEntity
from nerzoo.text.annotation import Entity

VOCAB = Vocabulary(tokens_to_add={"labels": ["PER", "LOC"], "other": ["LOC"]})


def tensors(*fields, vocab=VOCAB):
    batch = Batch([Instance({"first_pass": pickle.loads(pickle.dumps(field))}) for field in fields])
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["first_pass"].tolist()


def test_types_stand_at_the_first_token_of_each_entity_in_a_padded_batch():
    several = EntityField([Entity(0, 1, "LOC"), Entity(1, 4, "PER"), Entity(5, 6, "PER")], 6)
    assert tensors(several, EntityField([Entity(0, 2, "LOC")], 2)) == [[2, 1, -1, -1, 0, 1], [2, -1, 0, 0, 0, 0]]
    assert len(several) == 6


def test_the_outermost_of_nested_entities_stand():
    scored = [ScoredEntity(1, 4, "PER", 0.5), ScoredEntity(1, 2, "LOC", 0.75), ScoredEntity(3, 4, "LOC", 1.0)]
    assert tensors(EntityField(scored, 4)) == [[0, 1, -1, -1]]


def test_without_entities_everything_is_outside():
    assert tensors(EntityField([], 3), vocab=Vocabulary()) == [[0, 0, 0]]


def test_another_namespace_of_types_and_none_is_counted():
    field = EntityField([Entity(0, 1, "LOC")], 1, label_namespace="other")
    assert tensors(field) == [[1 + VOCAB.get_token_index("LOC", "other")]]
    counter = defaultdict(lambda: defaultdict(int))
    field.count_vocab_items(counter)
    assert not counter


def test_an_unknown_type_is_an_error_that_names_the_place_the_type_and_the_known_ones():
    field = EntityField([Entity(0, 1, "ORG")], 1, location="file:3")
    with pytest.raises(ConfigurationError, match="^file:3: found an entity of type 'ORG'.*one of PER, LOC"):
        field.index(VOCAB)


@pytest.mark.parametrize("entity", [Entity(0, 3, "PER"), Entity(1, 1, "PER"), Entity(-1, 1, "PER")])
def test_an_entity_that_does_not_fit_is_an_error(entity):
    with pytest.raises(ValueError, match="does not fit into 2 tokens"):
        EntityField([entity], 2)

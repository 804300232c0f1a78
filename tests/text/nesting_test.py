import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.text.annotation import Entity, nested, ordered


def test_ordered():
    entities = [Entity(1, 2, "X"), Entity(0, 1, "B"), Entity(0, 1, "A"), Entity(0, 3, "Y"), Entity(1, 2, "X")]
    assert ordered(entities) == [Entity(0, 3, "Y"), Entity(0, 1, "A"), Entity(0, 1, "B"), Entity(1, 2, "X")]


@pytest.mark.parametrize("crossing", [(1, 4), (2, 4), (0, 2, 1, 3, 2, 4)])
def test_entities_that_cross(crossing):
    spans = [(0, 3), *zip(crossing[::2], crossing[1::2], strict=True)]
    entities = [Entity(*span, "X") for span in spans]
    with pytest.raises(ConfigurationError, match="at [12]: found Entity.* which crosses Entity.*, expected nested"):
        nested(entities, lambda entity: f"at {entity.start}")


def test_entities_beside_and_inside_one_another():
    spans = [(4, 6), (0, 3), (0, 3), (3, 4), (0, 1), (1, 3), (1, 2)]
    found = nested([Entity(*span, "X") for span in spans], str)
    assert [entity[:2] for entity in found] == [(0, 3), (0, 1), (1, 3), (1, 2), (3, 4), (4, 6)]

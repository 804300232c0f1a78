import random
import time
from itertools import product

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.text.annotation import (
    SCHEMES,
    Entity,
    entities_to_tags,
    is_well_formed,
    layer,
    layers,
    prefixed,
    tag_spans,
    tags_to_entities,
)


def conlleval_entities(tags):
    """The chunks that conlleval counts: its two tables of (previous tag, tag), written out."""
    ends = {("B", "B"), ("B", "O"), ("I", "B"), ("I", "O"), ("E", "E"), ("E", "I"), ("E", "O"), ("E", "B")}
    starts = {("B", "B"), ("I", "B"), ("O", "B"), ("E", "B"), ("O", "I"), ("E", "E"), ("E", "I"), ("O", "E")}
    entities, start = [], None
    previous, previous_type = "O", ""
    for position, tag in enumerate([*tags, "O"]):
        current, _, current_type = tag.partition("-")
        type_changes = previous_type != current_type
        if start is not None and ((previous, current) in ends or (previous != "O" and type_changes)):
            entities.append(Entity(start, position, previous_type))
            start = None
        if (previous, current) in starts or (current != "O" and type_changes):
            start = position
        previous, previous_type = current, current_type
    return entities


def random_flat_entities(generator, length):
    entities, position = [], generator.randrange(3)
    while position < length:
        end = min(length, position + generator.randint(1, 4))
        entities.append(Entity(position, end, generator.choice(["X", "Y", "a-hyphened-label"])))
        position = end + generator.choice([0, 0, 1, 3])
    return entities


@pytest.mark.parametrize("coding_scheme", SCHEMES)
def test_round_trip(coding_scheme):
    generator = random.Random(13)
    for length in range(30):
        for _ in range(20):
            entities = random_flat_entities(generator, length)
            tags = entities_to_tags(entities[::-1], length, coding_scheme)
            assert len(tags) == length
            assert all(is_well_formed(tag, coding_scheme) for tag in tags)
            assert tags_to_entities(tags, coding_scheme) == entities


def test_tags_of_each_scheme():
    entities = [Entity(0, 3, "X"), Entity(3, 4, "X"), Entity(4, 6, "Y")]
    assert entities_to_tags(entities, 7, "BIO") == ["B-X", "I-X", "I-X", "B-X", "B-Y", "I-Y", "O"]
    assert entities_to_tags(entities, 7, "IOB1") == ["I-X", "I-X", "I-X", "B-X", "I-Y", "I-Y", "O"]
    assert entities_to_tags(entities, 7, "BIOUL") == ["B-X", "I-X", "L-X", "U-X", "B-Y", "L-Y", "O"]
    assert entities_to_tags(entities, 7, "BIOES") == ["B-X", "I-X", "E-X", "S-X", "B-Y", "E-Y", "O"]


def test_ill_formed_tags_are_read_as_by_conlleval():
    from seqeval.metrics.sequence_labeling import get_entities

    for tags in product(["O", "B-X", "I-X", "B-Y", "I-Y"], repeat=4):
        entities = tags_to_entities(tags, "BIO")
        assert entities == conlleval_entities(tags)
        assert entities == [Entity(start, end + 1, label) for label, start, end in get_entities(list(tags))]


def test_ill_formed_ends_are_read_as_by_conlleval():
    from seqeval.metrics.sequence_labeling import get_entities

    for tags in product(["O", "B-X", "I-X", "E-X", "S-X", "I-Y", "E-Y", "S-Y"], repeat=4):
        entities = tags_to_entities(tags, "BIOES")
        assert entities == [Entity(start, end + 1, label) for label, start, end in get_entities(list(tags))]
        bioul = [tag.replace("S-", "U-").replace("E-", "L-") for tag in tags]
        assert entities == tags_to_entities(bioul, "BIOUL")
        if not any(tag.startswith("S") for tag in tags):
            assert entities == conlleval_entities(tags)


@pytest.mark.parametrize(
    "tags, entities",
    [
        ([], []),
        (["B", "I", "O"], [Entity(0, 2, "")]),
        (["PERSON", "B-X", "PERSON"], [Entity(1, 2, "X")]),
        (["?-X", "I-X", "?-Y"], [Entity(0, 2, "X"), Entity(2, 3, "Y")]),
        (["O-X", "", "-"], []),
    ],
)
def test_strange_tags_have_a_meaning(tags, entities):
    assert tags_to_entities(tags, "BIO") == entities


@pytest.mark.parametrize("tag", ["X-PER", "B-", "B", "PER", "", "BI-PER", "S-PER", "b-PER"])
def test_is_well_formed_refuses(tag):
    assert not is_well_formed(tag, "BIO")


@pytest.mark.parametrize("entities", [[Entity(0, 2, "X"), Entity(1, 3, "X")], [Entity(0, 2, "X"), Entity(0, 2, "Y")]])
def test_overlapping_entities_have_no_tags(entities):
    with pytest.raises(ValueError, match="overlap"):
        entities_to_tags(entities, 5, "BIO")


@pytest.mark.parametrize("entity", [Entity(3, 6, "X"), Entity(-1, 1, "X"), Entity(2, 2, "X"), Entity(3, 2, "X")])
def test_entities_have_to_fit(entity):
    with pytest.raises(ValueError, match="does not fit"):
        entities_to_tags([entity], 5, "BIO")


def test_unknown_scheme():
    for use in (lambda: entities_to_tags([], 0, "IOB7"), lambda: tags_to_entities([], "IOB7")):
        with pytest.raises(ConfigurationError, match="IOB7.*BIO, IOB1, BIOUL, BIOES"):
            use()


NESTED = [
    Entity(0, 9, "A"),
    Entity(0, 3, "B"),
    Entity(1, 2, "C"),
    Entity(4, 6, "D"),
    Entity(4, 6, "E"),
    Entity(9, 10, "F"),
]


def test_layer():
    a, b, c, d, e, f = NESTED
    assert layer(NESTED, "outermost") == [a, f]
    assert layer(NESTED, "innermost") == [c, d, f]
    assert layer([e, d], "outermost") == layer([e, d], "innermost") == [e]
    assert layer([], "outermost") == layer([], "innermost") == []
    with pytest.raises(ConfigurationError, match="middle.*outermost.*innermost"):
        layer(NESTED, "middle")


def test_layer_keeps_the_first_of_crossing_entities():
    first, second, third = Entity(0, 3, "X"), Entity(2, 5, "X"), Entity(4, 6, "X")
    for which in ("outermost", "innermost"):
        assert layer([third, second, first], which) == [first, third]


def test_layer_by_its_definition():
    generator = random.Random(7)
    for _ in range(200):
        spans = {tuple(sorted(generator.sample(range(8), 2))) for _ in range(5)}
        crossing = {(a, b) for a, b in product(spans, spans) if a[0] < b[0] < a[1] < b[1]}
        nested = [Entity(*span, "X") for span in spans - {b for _, b in crossing}]

        def within(inner, outer):
            return inner != outer and outer.start <= inner.start and inner.end <= outer.end

        assert layer(nested, "outermost") == sorted(e for e in nested if not any(within(e, o) for o in nested))
        assert layer(nested, "innermost") == sorted(e for e in nested if not any(within(o, e) for o in nested))


def test_layers():
    a, b, c, d, e, f = NESTED
    assert layers([*NESTED[::-1], a]) == [[a, f], [b, e], [c, d]]
    assert layers([]) == []


def test_layers_of_entities_that_may_cross():
    """Each layer is the outermost one of what is left of the layers before it."""
    generator = random.Random(1)
    for size in range(1, 40):
        bounds = [sorted(generator.sample(range(12), 2)) for _ in range(size)]
        rest = [Entity(*span, generator.choice("AB")) for span in bounds]
        for found in layers(rest):
            assert found == layer(rest, "outermost")
            rest = [entity for entity in rest if entity not in found]
        assert not rest


def test_layers_of_very_many_entities():
    start = time.process_time()
    assert len(layers([Entity(i, 60_000 - i, "A") for i in range(30_000)])) == 30_000
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "tag, expected", [("null", "O"), ("hotel-parking-B", "B-hotel-parking"), ("answer-I", "I-answer"), ("B", "B-")]
)
def test_prefixed(tag, expected):
    assert prefixed(tag) == expected


def test_well_formed_and_other_tags():
    """`tests/data/tag_schemes_test.py` compares entities with conlleval's."""
    assert tag_spans(["U-A", "B-B", "L-B", "O", "I-C", "I-D"]) == [(0, 1, "A"), (1, 3, "B"), (4, 5, "C"), (5, 6, "D")]
    assert tag_spans(["PERSON", "B", "X-E"]) == [(1, 2, ""), (2, 3, "E")]
    assert tag_spans([]) == []

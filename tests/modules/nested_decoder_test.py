import itertools

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.random_candidates import overlap, random_candidates

from nerzoo.modules.span_decoders import HighestFirst, LongestFirst, NestedDecoder, ScoredEntity

# The example of section 5.3: words 2 and 3, 3 and 4, 1 to 4 of five.
PER, LOC, ORG = ScoredEntity(1, 3, "PER", 0.7), ScoredEntity(2, 4, "LOC", 0.8), ScoredEntity(0, 4, "ORG", 0.9)
EXAMPLE = [ORG, PER, LOC]


def strictly_inside(inner, outer):
    return outer[0] <= inner[0] and inner[1] <= outer[1] and inner[:2] != outer[:2]


def decode_recursively(candidates, levels):
    """The recursion of section 5.3 without merging."""
    found = set()
    if levels:
        for entity in levels[0].survivors(candidates):
            inner = [candidate for candidate in candidates if strictly_inside(candidate, entity)]
            found |= {entity} | decode_recursively(inner, levels[1:])
    return found


def test_the_worked_example():
    assert NestedDecoder([HighestFirst()]).decode(EXAMPLE) == [ORG]
    assert NestedDecoder([HighestFirst(), HighestFirst()]).decode(EXAMPLE) == [ORG, LOC]
    assert NestedDecoder([HighestFirst()] * 5).decode(EXAMPLE) == [ORG, LOC]
    assert NestedDecoder([HighestFirst(0.5), HighestFirst(0.85)]).decode(EXAMPLE) == [ORG]
    assert NestedDecoder([HighestFirst(0.95), HighestFirst(0.5)]).decode(EXAMPLE) == []


@pytest.mark.parametrize("algorithms", list(itertools.product([HighestFirst, LongestFirst], repeat=3)))
def test_equals_the_recursion_on_random_candidates(algorithms):
    depths = set()
    thresholds = 0.5, 0.3, 0.1
    levels = [algorithm(threshold, False) for algorithm, threshold in zip(algorithms, thresholds, strict=True)]
    for seed in range(150):
        candidates = random_candidates(seed, max_length=6, most=20)
        entities = NestedDecoder(levels).decode(candidates)
        assert set(entities) == decode_recursively(candidates, levels)
        assert len({entity[:2] for entity in entities}) == len(entities)
        for one, other in itertools.combinations(entities, 2):
            assert not overlap(one, other) or strictly_inside(other, one)
            # In order of start, outer before inner.
            assert (one.start, -one.end) < (other.start, -other.end)
        depths |= {sum(strictly_inside(entity, outer) for outer in entities) for entity in entities}
    assert depths == {0, 1, 2}


def test_an_inner_level_may_have_a_lower_threshold():
    outer, inner = ScoredEntity(0, 3, "A", 0.8), ScoredEntity(1, 2, "A", 0.2)
    elsewhere = ScoredEntity(4, 5, "A", 0.2)
    decoder = NestedDecoder([LongestFirst(0.5), HighestFirst(0.1)])
    assert decoder.decode([outer, inner, elsewhere]) == [outer, inner]
    assert decoder.threshold == 0.1


def test_what_was_merged_is_not_found_again_inside():
    left, across, right = ScoredEntity(0, 2, "A", 0.9), ScoredEntity(1, 3, "B", 0.6), ScoredEntity(2, 4, "A", 0.8)
    merged = ScoredEntity(0, 4, "A", 0.8)
    assert NestedDecoder([HighestFirst(), HighestFirst()]).decode([left, across, right]) == [merged, across]
    assert NestedDecoder([HighestFirst(), HighestFirst()]).decode([left, right]) == [merged]
    apart = HighestFirst(merge_adjacent=False)
    assert NestedDecoder([apart, apart]).decode([left, across, right]) == [left, right]


def test_what_is_merged_to_the_span_of_the_outer_entity_is_left_out():
    outer, left, right = ScoredEntity(0, 2, "A", 0.9), ScoredEntity(0, 1, "B", 0.8), ScoredEntity(1, 2, "B", 0.8)
    assert NestedDecoder([HighestFirst()] * 3).decode([left, outer, right]) == [outer]


def test_from_params():
    params = Params({"levels": ["longest_first", {"type": "highest_first", "threshold": 0.3}, {"threshold": 0.4}]})
    levels = NestedDecoder.from_params(params).levels
    assert [type(level) for level in levels] == [LongestFirst, HighestFirst, HighestFirst]
    assert [level.threshold for level in levels] == [0.5, 0.3, 0.4]


def test_no_level_is_an_error():
    with pytest.raises(ConfigurationError, match="found no levels, expected one at least"):
        NestedDecoder([])

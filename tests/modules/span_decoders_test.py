import itertools

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.random_candidates import overlap, random_candidates, subsets_without_overlaps

from nerzoo.modules.span_decoders import (
    HighestFirst,
    LongestFirst,
    NestedDecoder,
    SpanDecoder,
    span_candidates,
)
from nerzoo.text.span_levels import ScoredEntity

LABELS = ["PER", "LOC"]
LENGTHS = [5, 1, 0, 3]


def random_probabilities(dtype=torch.float64):
    logits = 3 * torch.randn(4, 5, 3, 3, dtype=dtype, generator=torch.Generator().manual_seed(1))
    return logits.softmax(3), torch.arange(5) < torch.tensor(LENGTHS).unsqueeze(1)


@pytest.mark.parametrize("threshold", [0.0, 0.6, 1.0])
def test_candidates_against_a_loop_over_spans(threshold):
    probabilities, mask = random_probabilities()
    expected = []
    for of_sentence, length in zip(probabilities.tolist(), LENGTHS, strict=True):
        expected.append([])
        for start in range(length):
            for end in range(start + 1, min(start + 3, length) + 1):
                of_span = of_sentence[start][end - start - 1]
                score = max(of_span)
                if of_span.index(score) > 0 and score > threshold:
                    label = LABELS[of_span.index(score) - 1]
                    expected[-1].append(ScoredEntity(start, end, label, score))
    assert span_candidates(probabilities, mask, LABELS, threshold) == expected
    assert any(expected) == (threshold < 1)


def test_a_sentence_alone_has_the_candidates_that_it_has_in_a_batch():
    probabilities, mask = random_probabilities()
    (alone,) = span_candidates(probabilities[3:, :3], mask[3:, :3], LABELS, 0.5)
    assert span_candidates(probabilities, mask, LABELS, 0.5)[3] == alone != []


def test_the_threshold_itself_is_not_above_it():
    probabilities = torch.tensor([[[[0.25, 0.75, 0.0]]]])
    mask = torch.ones(1, 1, dtype=torch.bool)
    assert span_candidates(probabilities, mask, LABELS, 0.75) == [[]]
    assert span_candidates(probabilities, mask, LABELS, 0.7) == [[ScoredEntity(0, 1, "PER", 0.75)]]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    probabilities, mask = random_probabilities(torch.float32)
    on_gpu = span_candidates(probabilities.cuda(), mask.cuda(), LABELS, 0.5)
    assert on_gpu == span_candidates(probabilities, mask, LABELS, 0.5)


@pytest.mark.parametrize("name, decoder", [("highest_first", HighestFirst), ("longest_first", LongestFirst)])
def test_decoders_from_params(name, decoder):
    made = SpanDecoder.from_params(Params({"type": name, "threshold": 0.3, "merge_adjacent": True}))
    assert type(made) is decoder
    assert (made.threshold, made.merge_adjacent) == (0.3, True)


def test_highest_first_is_the_default():
    assert type(SpanDecoder.from_params(Params({"threshold": 0.3}))) is HighestFirst


@pytest.mark.parametrize("name", ["highest_first", "longest_first"])
def test_scores_have_to_exceed_the_threshold(name):
    candidates = [ScoredEntity(0, 1, "A", 0.5), ScoredEntity(2, 3, "A", 0.51)]
    decoder = SpanDecoder.by_name(name)(threshold=0.5)
    assert decoder.decode(candidates) == candidates[1:]
    assert decoder.decode([]) == []


@pytest.mark.parametrize("name", ["highest_first", "longest_first"])
def test_adjacent_survivors_of_one_type_are_merged(name):
    candidates = [
        ScoredEntity(0, 1, "A", 0.9),
        ScoredEntity(1, 3, "A", 0.7),
        ScoredEntity(3, 4, "A", 0.8),
        ScoredEntity(4, 5, "B", 0.9),
        ScoredEntity(6, 7, "B", 0.9),
    ]
    decoder = SpanDecoder.by_name(name)
    assert decoder(merge_adjacent=True).decode(candidates) == [ScoredEntity(0, 4, "A", 0.7), *candidates[3:]]
    assert decoder().decode(candidates) == candidates


@pytest.mark.parametrize("threshold", [-0.1, 1.1])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(ConfigurationError, match=f"found the threshold {threshold}, expected a number from 0 to 1"):
        HighestFirst(threshold)


def algorithm_4(scores, length):
    """Word by word as printed, with the set of the removed filled from the first word to the last; nothing merged."""
    removed = set()
    for k in range(1, length + 1):
        candidates = [(i, j, label, score) for i, j, label, score in scores if i <= k <= j]
        candidates = sorted(candidates, key=lambda candidate: -candidate[3])
        removed |= set(candidates[1:])
    return sorted(set(scores) - removed)


@pytest.mark.parametrize("ties", [False, True])
def test_highest_first_equals_the_algorithm_on_random_candidates(ties):
    sizes = set()
    for seed in range(500):
        candidates = random_candidates(seed, ties=ties)
        survivors = HighestFirst(0.0).survivors(candidates)
        expected = algorithm_4([(i + 1, j, label, score) for i, j, label, score in candidates], 9)
        assert survivors == [ScoredEntity(i - 1, j, label, score) for i, j, label, score in expected]
        assert not any(overlap(*pair) for pair in itertools.combinations(survivors, 2))
        sizes.add(len(candidates) - len(survivors))
    assert len(sizes) > 5


def test_removed_spans_remove_others():
    first, second, third = ScoredEntity(0, 2, "A", 0.6), ScoredEntity(1, 3, "A", 0.7), ScoredEntity(2, 4, "A", 0.8)
    assert HighestFirst().decode([first, second, third]) == [third]
    assert HighestFirst().decode([first, second]) == [second]


def test_one_under_the_threshold_removes_nothing():
    first, second = ScoredEntity(0, 2, "A", 0.65), ScoredEntity(1, 3, "A", 0.6)
    assert HighestFirst(0.62).decode([second, first]) == [first]


def test_of_equal_scores_the_first_start_wins():
    first, second = ScoredEntity(0, 2, "A", 1.0), ScoredEntity(1, 3, "A", 1.0)
    assert HighestFirst().decode([first, second]) == [first]


def algorithm_5(spans, length):
    """Word by word as printed, with its slips mended: see `LongestFirst`. Positions from 0, ends inclusive."""
    best = []
    for i in range(length):
        best.append((i + 1, [(0, i)]) if (0, i) in spans else (0, []))
        for j in range(1, i + 1):
            new_length = best[j - 1][0] + i - j + 1
            if (j, i) in spans and new_length > best[-1][0]:
                best[-1] = new_length, [*best[j - 1][1], (j, i)]
        if i > 0 and best[-1][0] < best[-2][0]:
            best[-1] = best[-2]
    return best[-1][1]


def covered(entities):
    return sum(entity.end - entity.start for entity in entities)


@pytest.mark.parametrize("most", [8, 21])
def test_longest_first_equals_the_algorithm_on_random_candidates(most):
    for seed in range(500):
        candidates = random_candidates(seed, most=most)
        survivors = LongestFirst(0.0).survivors(candidates)
        spans = [(entity.start, entity.end - 1) for entity in survivors]
        assert spans == algorithm_5({(start, end - 1) for start, end, _, _ in candidates}, 9)
        assert set(survivors) <= set(candidates)


def test_covers_the_most_words_that_can_be_covered():
    for seed in range(300):
        candidates = random_candidates(seed)
        survivors = LongestFirst(0.0).survivors(candidates)
        assert not any(overlap(*pair) for pair in itertools.combinations(survivors, 2))
        assert covered(survivors) == max(map(covered, subsets_without_overlaps(candidates)))


def test_two_shorter_ones_may_cover_more_than_the_longest():
    first, longest, last = ScoredEntity(0, 2, "A", 0.6), ScoredEntity(1, 4, "B", 0.9), ScoredEntity(3, 5, "C", 0.6)
    assert LongestFirst().decode([first, longest, last]) == [first, last]
    assert LongestFirst().decode([first, longest]) == [longest]


def test_scores_count_against_the_threshold_only():
    short, long = ScoredEntity(0, 1, "A", 0.99), ScoredEntity(0, 2, "B", 0.51)
    assert LongestFirst().decode([short, long]) == [long]
    assert LongestFirst(0.6).decode([short, long]) == [short]


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
    together, apart = HighestFirst(merge_adjacent=True), HighestFirst()
    assert NestedDecoder([together, together]).decode([left, across, right]) == [merged, across]
    assert NestedDecoder([together, together]).decode([left, right]) == [merged]
    assert NestedDecoder([apart, apart]).decode([left, across, right]) == [left, right]


def test_what_is_merged_to_the_span_of_the_outer_entity_is_left_out():
    outer, left, right = ScoredEntity(0, 2, "A", 0.9), ScoredEntity(0, 1, "B", 0.8), ScoredEntity(1, 2, "B", 0.8)
    assert NestedDecoder([HighestFirst(merge_adjacent=True)] * 3).decode([left, outer, right]) == [outer]


def test_nested_decoders_from_params():
    params = Params({"levels": ["longest_first", {"type": "highest_first", "threshold": 0.3}, {"threshold": 0.4}]})
    levels = NestedDecoder.from_params(params).levels
    assert [type(level) for level in levels] == [LongestFirst, HighestFirst, HighestFirst]
    assert [level.threshold for level in levels] == [0.5, 0.3, 0.4]


def test_no_level_is_an_error():
    with pytest.raises(ConfigurationError, match="found no levels, expected one at least"):
        NestedDecoder([])

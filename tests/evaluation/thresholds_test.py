import itertools
import random

import pytest
from allennlp.data import Vocabulary
from helpers.random_candidates import random_candidates

from nerzoo.evaluation.thresholds import THRESHOLDS, search_levels
from nerzoo.modules.span_decoders import HighestFirst, LongestFirst, NestedDecoder, SpanDecoder
from nerzoo.text.annotation import Entity
from nerzoo.text.span_levels import ScoredEntity
from nerzoo.training.metrics.nested_span_f1 import NestedSpanF1

NUM_SENTENCES = 25


class FirstStart(SpanDecoder):
    """Not on the grid."""

    def choose(self, candidates):
        return candidates[:1]


def random_data(seed):
    """Candidates of sentences, some without any, and gold entities that are some of them and some others."""
    candidates = [random_candidates(seed + n, max_length=6, most=20) for n in range(NUM_SENTENCES)]
    rng = random.Random(seed)
    gold = [
        [Entity(*candidate[:3]) for candidate in of_sentence if rng.random() < candidate.score]
        + [Entity(7, 9, rng.choice("AB"))] * rng.randint(0, 2)
        for of_sentence in candidates
    ]
    return candidates, gold


def scores(candidates, gold, levels):
    """As `NestedDecoder` and `NestedSpanF1` find them."""
    metric = NestedSpanF1(Vocabulary(non_padded_namespaces=["labels"], counter={"labels": {"A": 2, "B": 1}}))
    metric([NestedDecoder(list(levels)).decode(of_sentence) for of_sentence in candidates], gold)
    found = metric.get_metric()
    return found["precision"], found["recall"], found["f1"]


def described(levels):
    return tuple((type(level), level.threshold) for level in levels)


GRID = set(itertools.product((HighestFirst, LongestFirst), THRESHOLDS))


@pytest.mark.parametrize("merge", [(True,), (False,), (True, False), (False, True), (True, True)])
def test_every_combination_has_the_scores_of_the_decoder(merge):
    candidates, gold = random_data(7)
    given = [LongestFirst(0.6, merge_adjacent) for merge_adjacent in merge]
    found = search_levels(candidates, gold, given)
    combinations = [described(scored.levels) for scored in found]
    assert set(combinations) == set(itertools.product(GRID, repeat=len(merge)))
    assert len(combinations) == len(set(combinations))
    for scored in found:
        assert scored[1:4] == pytest.approx(scores(candidates, gold, scored.levels), abs=1e-12)
        assert tuple(level.merge_adjacent for level in scored.levels) == merge
    assert [scored.f1 for scored in found] == sorted((scored.f1 for scored in found), reverse=True)
    assert len({scored.f1 for scored in found}) > 10


@pytest.mark.parametrize("seed", range(4))
def test_no_change_of_one_of_many_levels_is_better(seed):
    candidates, gold = random_data(seed)
    given = [HighestFirst(0.9), LongestFirst(0.5, False), HighestFirst(0.5)]
    found = search_levels(candidates, gold, given)
    for scored in found[:30]:
        assert scored[1:4] == pytest.approx(scores(candidates, gold, scored.levels), abs=1e-12)
    assert len(found) < 500
    best = found[0]
    tried = {described(scored.levels) for scored in found}
    assert described(given) in tried
    for place, (algorithm, threshold) in itertools.product(range(3), GRID):
        changed = list(best.levels)
        changed[place] = algorithm(threshold, given[place].merge_adjacent)
        assert scores(candidates, gold, changed)[2] <= best.f1 + 1e-12
        assert described(changed) in tried


def test_the_given_levels_are_tried_where_the_grid_does_not_have_them():
    candidates, gold = random_data(3)
    given = FirstStart(0.25)
    found = search_levels(candidates, gold, [given])
    assert len(found) == len(GRID) + 1
    (scored,) = (scored for scored in found if scored.levels == (given,))
    assert scored[1:4] == pytest.approx(scores(candidates, gold, [given]), abs=1e-12)


@pytest.mark.parametrize("given", [HighestFirst(0.4), LongestFirst(0.9), LongestFirst(0.25)])
def test_of_equal_scores_the_given_level_is_best(given):
    candidates, gold = [[ScoredEntity(0, 2, "A", 0.95)], []], [[Entity(0, 2, "A")], [Entity(0, 1, "B")]]
    found = search_levels(candidates, gold, [given])
    assert {scored[1:4] for scored in found} == {(1.0, 0.5, 2 / 3)}
    assert found[0].levels == (given,)


def test_of_equal_scores_the_closest_levels_are_better():
    # A threshold below 0.5 takes the wrong one; those of the inner level do not matter.
    candidates = [[ScoredEntity(0, 2, "A", 0.95), ScoredEntity(3, 4, "A", 0.5)]]
    given = [HighestFirst(0.3), LongestFirst(0.5)]
    first, second, third, fourth, *_ = search_levels(candidates, [[Entity(0, 2, "A")]], given)
    assert described(first.levels) == ((HighestFirst, 0.5), (LongestFirst, 0.5))
    # As close as one another: the one with the lower threshold outermost.
    assert described(second.levels) == ((HighestFirst, 0.5), (LongestFirst, 0.4))
    assert described(third.levels) == ((HighestFirst, 0.5), (LongestFirst, 0.6))
    assert described(fourth.levels) == ((HighestFirst, 0.6), (LongestFirst, 0.5))
    assert first.f1 == fourth.f1 == 1.0


def test_without_candidates_all_scores_are_0():
    for scored in search_levels([[], []], [[], [Entity(0, 1, "A")]], [HighestFirst()]):
        assert scored[1:4] == (0, 0, 0)

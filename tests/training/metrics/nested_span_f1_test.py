import random

import pytest
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric
from helpers.processes import run_in_two_processes

from nerzoo.text.annotation import Entity
from nerzoo.text.span_levels import ScoredEntity
from nerzoo.training.metrics.nested_span_f1 import NestedSpanF1, UnreachableEntities

TYPES = ["PER", "LOC", "X-Y"]
VOCAB = Vocabulary(tokens_to_add={"labels": TYPES})


def contains(outer, inner):
    return set(range(*inner[:2])) < set(range(*outer[:2]))


def depth(entity, entities):
    """0 to 3, the last for three and more."""
    return min(len({other[:2] for other in entities if contains(other, entity)}), 3)


def oracle(pairs):
    """What `NestedSpanF1` returns for (predicted, gold) sentences, from one list of all entities each."""
    predicted = {(n, e, depth(e, ours)) for n, (ours, _) in enumerate(pairs) for e in ours}
    gold = {(n, e, depth(e, theirs)) for n, (_, theirs) in enumerate(pairs) for e in theirs}

    def scores(suffix, belongs):
        found = [(n, e) in {x[:2] for x in gold} for n, e, d in predicted if belongs(e, d)]
        known = [(n, e) in {x[:2] for x in predicted} for n, e, d in gold if belongs(e, d)]
        precision = sum(found) / len(found) if found else 0.0
        recall = sum(known) / len(known) if known else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision" + suffix: precision, "recall" + suffix: recall, "f1" + suffix: f1}

    result = scores("", lambda entity, at: True)
    for type_ in TYPES:
        result |= scores(f"-{type_}", lambda entity, at, type_=type_: entity.label == type_)
    for number, name in enumerate(["0", "1", "2", "3+"]):
        result |= scores(f"-depth-{name}", lambda entity, at, number=number: at == number)
    return result


def random_pairs(number, seed=0):
    """Sentences of up to 9 entities, which may be nested, cross and have several types, and predictions of most."""
    rng = random.Random(seed)

    def entities(most):
        spans = [sorted(rng.sample(range(9), 2)) for _ in range(rng.randint(0, most))]
        return {Entity(*span, rng.choice(TYPES[:2])) for span in spans}

    golds = [entities(9) for _ in range(number)]
    return [({entity for entity in gold if rng.random() < 0.7} | entities(4), gold) for gold in golds]


def count(metric, pairs):
    predictions, golds = zip(*pairs, strict=True)
    metric(list(map(list, predictions)), list(map(list, golds)))


def full_metric():
    return NestedSpanF1(VOCAB, per_type=True, per_depth=True)


def test_is_registered():
    assert Metric.by_name("nested_span_f1") is NestedSpanF1


def test_equals_plain_counting_on_random_sentences():
    metric, pairs = full_metric(), random_pairs(101)
    for start in range(0, len(pairs), 17):
        count(metric, pairs[start : start + 17])
    expected = oracle(pairs)
    assert metric.get_metric() == pytest.approx(expected, abs=1e-12)
    # Of the types only the last does not occur, and all depths do.
    assert all(value > 0 for name, value in expected.items() if "X-Y" not in name)


def test_equals_scikit_learn_over_all_entities():
    from sklearn.metrics import precision_recall_fscore_support

    metric, pairs = full_metric(), random_pairs(53, seed=1)
    count(metric, pairs)
    everything = [(n, e) for n, (predicted, gold) in enumerate(pairs) for e in predicted | gold]
    is_gold, is_predicted = ([e in pairs[n][side] for n, e in everything] for side in (1, 0))
    precision, recall, f1, _ = precision_recall_fscore_support(is_gold, is_predicted, average="binary")
    scores = metric.get_metric()
    assert (scores["precision"], scores["recall"], scores["f1"]) == pytest.approx((precision, recall, f1), abs=1e-12)


def test_by_hand():
    gold = [Entity(0, 5, "PER"), Entity(1, 5, "LOC"), Entity(1, 2, "PER")]
    # The outermost is missed, so that the others are predicted at a lesser depth than they have, and one type is wrong.
    predicted = [ScoredEntity(1, 5, "LOC", 0.9), ScoredEntity(1, 2, "LOC", 0.8)]
    metric = full_metric()
    metric([predicted, []], [gold, []])
    scores = metric.get_metric(reset=True)
    assert (scores["precision"], scores["recall"]) == (1 / 2, 1 / 3)
    assert scores["f1"] == pytest.approx(0.4)
    assert (scores["precision-LOC"], scores["recall-LOC"], scores["recall-PER"]) == (1 / 2, 1, 0)
    assert [scores[f"precision-depth-{d}"] for d in ("0", "1", "2", "3+")] == [1, 0, 0, 0]
    assert [scores[f"recall-depth-{d}"] for d in ("0", "1", "2", "3+")] == [0, 1, 0, 0]
    counts = metric.last_by_type()
    assert (counts["LOC"], counts["PER"], counts["(unknown)"]) == ([1, 2, 1], [0, 0, 2], [0, 0, 0])
    assert set(metric.get_metric().values()) == {0.0}


def test_an_entity_counts_once_and_equal_spans_are_not_nested():
    gold = [Entity(0, 2, "PER"), Entity(0, 2, "LOC"), Entity(0, 1, "LOC")]
    metric = full_metric()
    metric([[*gold, *gold]], [gold])
    scores = metric.get_metric()
    assert scores["precision"] == scores["f1-depth-0"] == scores["f1-depth-1"] == 1
    assert scores["f1-depth-2"] == 0


def test_flat_predictions_of_nested_entities_lack_recall():
    gold = [Entity(0, 3, "PER"), Entity(0, 1, "PER")]
    metric = full_metric()
    metric([gold[:1]], [gold])
    scores = metric.get_metric()
    assert (scores["precision"], scores["recall"]) == (1, 1 / 2)
    assert (scores["recall-depth-0"], scores["recall-depth-1"]) == (1, 0)


def test_only_the_overall_scores_unless_asked():
    assert set(NestedSpanF1(VOCAB).get_metric()) == {"precision", "recall", "f1"}


def test_nothing_to_count():
    metric = full_metric()
    metric([], [])
    metric([[]], [[]])
    assert set(metric.get_metric().values()) == {0.0}


def test_a_type_that_is_not_in_the_vocabulary_counts_as_missed():
    metric = full_metric()
    metric([[Entity(0, 1, "PER")]], [[Entity(0, 1, "PER"), Entity(2, 3, "ORG")]])
    scores = metric.get_metric()
    assert (scores["precision"], scores["recall"], scores["recall-PER"]) == (1.0, 0.5, 1.0)
    assert not any("ORG" in name for name in scores)


def count_on_worker(global_rank, world_size, gpu_id, pairs, expected):
    metric = full_metric()
    for batch in (pairs[:10], pairs[10:]):
        count(metric, batch[global_rank::world_size])
        metric.get_metric()
    assert metric.get_metric() == pytest.approx(expected, abs=1e-12)
    assert metric.get_metric(reset=True) == pytest.approx(expected, abs=1e-12)


def test_workers_count_together():
    pairs = random_pairs(31)
    run_in_two_processes(count_on_worker, pairs, oracle(pairs))


def test_entities_that_a_model_cannot_find():
    metric = UnreachableEntities(max_length=3, num_levels=2)
    nested = [Entity(0, 4, "PER"), Entity(0, 3, "LOC"), Entity(1, 3, "PER"), Entity(1, 3, "LOC"), Entity(1, 2, "PER")]
    metric([nested, []])
    metric([[Entity(5, 6, "PER")]])
    # Inside two others: both types of [1, 3), and [1, 2).
    found = {"entities_too_long": 1, "entities_same_span": 1, "entities_too_deep": 3}
    assert metric.get_metric(reset=True) == found
    assert metric.get_metric() == dict.fromkeys(found, 0)

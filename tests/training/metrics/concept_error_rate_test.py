import random
from functools import cache

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric
from helpers.processes import run_in_two_processes

from nerzoo.text.annotation import tags_to_entities
from nerzoo.training.metrics.concept_error_rate import ConceptErrorRate, concept_errors

TAGS = ["O", *(f"{prefix}-{concept}" for concept in ("city", "date", "room-type") for prefix in "BI")]


def vocabulary(tags=TAGS):
    vocab = Vocabulary()
    for tag in tags:
        vocab.add_token_to_namespace(tag, "labels")
    return vocab


def tensors(vocab, pairs):
    """Predictions, gold labels and mask; the padding holds a tag that would count."""
    length = max(len(gold) for _, gold in pairs)

    def padded(sentence):
        return [vocab.get_token_index(tag, "labels") for tag in sentence] + [1] * (length - len(sentence))

    predictions, golds = (torch.tensor([padded(s) for s in side]) for side in zip(*pairs, strict=True))
    lengths = torch.tensor([len(gold) for _, gold in pairs])
    return predictions, golds, torch.arange(length) < lengths.unsqueeze(1)


def random_pairs(number, seed=0):
    """Sentences of 0 to 9 random tags and predictions that agree with them half of the time."""
    rng = random.Random(seed)
    golds = [[rng.choice(TAGS) for _ in range(rng.randint(0, 9))] for _ in range(number)]
    return [([rng.choice([tag, rng.choice(TAGS)]) for tag in gold], gold) for gold in golds]


@cache
def best_alignment(predicted, gold):
    """Of all alignments the one with the fewest (errors, substitutions); then insertions and deletions."""
    if not predicted or not gold:
        return len(predicted) + len(gold), 0, len(predicted), len(gold)

    def more(errors, substitutions, insertions, deletions, rest):
        return tuple(a + b for a, b in zip((errors, substitutions, insertions, deletions), rest, strict=True))

    differ = predicted[0] != gold[0]
    return min(
        more(differ, differ, 0, 0, best_alignment(predicted[1:], gold[1:])),
        more(1, 0, 1, 0, best_alignment(predicted[1:], gold)),
        more(1, 0, 0, 1, best_alignment(predicted, gold[1:])),
    )


@cache
def best_sclite_alignment(predicted, gold):
    """Of all alignments the one with the least (cost, errors); then insertions, deletions, substitutions."""
    if not predicted or not gold:
        errors = len(predicted) + len(gold)
        return 3 * errors, errors, len(predicted), len(gold), 0

    def more(step, rest):
        return tuple(a + b for a, b in zip(step, rest, strict=True))

    differ = predicted[0] != gold[0]
    return min(
        more((4 * differ, differ, 0, 0, differ), best_sclite_alignment(predicted[1:], gold[1:])),
        more((3, 1, 1, 0, 0), best_sclite_alignment(predicted[1:], gold)),
        more((3, 1, 0, 1, 0), best_sclite_alignment(predicted, gold[1:])),
    )


def expected_scores(pairs):
    sentences = [[tuple(entity.label for entity in tags_to_entities(tags, "BIO")) for tags in pair] for pair in pairs]
    errors, substitutions, insertions, deletions = map(sum, zip(*(best_alignment(*s) for s in sentences), strict=True))
    num_gold = sum(len(gold) for _, gold in sentences)
    return {
        "cer": errors / num_gold,
        "insertion_rate": insertions / num_gold,
        "deletion_rate": deletions / num_gold,
        "substitution_rate": substitutions / num_gold,
    }


def test_is_registered():
    assert Metric.by_name("concept_error_rate") is ConceptErrorRate


@pytest.mark.parametrize(
    "predicted, gold, expected",
    [
        ("abc", "abc", (0, 0, 0)),
        ("", "", (0, 0, 0)),
        ("ab", "", (2, 0, 0)),
        ("", "ab", (0, 2, 0)),
        ("axb", "ab", (1, 0, 0)),
        ("ac", "abc", (0, 1, 0)),
        ("axc", "abc", (0, 0, 1)),
        # Two substitutions are no more errors, but nothing is correct then.
        ("ba", "ab", (1, 1, 0)),
        ("bca", "abc", (1, 1, 0)),
        ("xa", "abc", (1, 2, 0)),
        ("xyz", "ab", (1, 0, 2)),
    ],
)
def test_errors_by_hand(predicted, gold, expected):
    assert concept_errors([predicted], [gold])[:, 0].tolist() == [*expected, len(gold)]


def test_errors_of_all_short_sequences():
    rng = random.Random(3)
    sequences = ["".join(rng.choices("abc", k=rng.randint(0, 6))) for _ in range(60)]
    pairs = [(predicted, gold) for predicted in sequences for gold in sequences]
    insertions, deletions, substitutions, num_gold = concept_errors(*zip(*pairs, strict=True))
    for i, (predicted, gold) in enumerate(pairs):
        found = insertions[i] + deletions[i] + substitutions[i], substitutions[i], insertions[i], deletions[i]
        assert (*found, num_gold[i]) == (*best_alignment(predicted, gold), len(gold))


@pytest.mark.parametrize(
    "predicted, gold, expected",
    [
        ("axc", "abc", (0, 0, 1)),
        ("ba", "ab", (1, 1, 0)),
        # A shift by three costs 18, five substitutions 20.
        ("xyzab", "abcde", (3, 3, 0)),
        # Four insertions and deletions cost as much as three substitutions, which are fewer.
        ("xya", "abc", (0, 0, 3)),
    ],
)
def test_weights_of_sclite_by_hand(predicted, gold, expected):
    assert concept_errors([predicted], [gold], sclite_weights=True)[:, 0].tolist() == [*expected, len(gold)]


def test_weights_of_sclite_on_all_short_sequences():
    rng = random.Random(5)
    sequences = ["".join(rng.choices("abcd", k=rng.randint(0, 8))) for _ in range(60)]
    pairs = [(predicted, gold) for predicted in sequences for gold in sequences]
    weighted = concept_errors(*zip(*pairs, strict=True), sclite_weights=True)
    for i, (predicted, gold) in enumerate(pairs):
        assert tuple(weighted[:, i]) == (*best_sclite_alignment(predicted, gold)[2:], len(gold))


@pytest.mark.parametrize("sclite_weights, cer", [(False, 5 / 5), (True, 6 / 5)])
def test_the_metric_has_weights_of_sclite(sclite_weights, cer):
    vocab = vocabulary([f"B-{concept}" for concept in "abcdexyz"])
    metric = ConceptErrorRate(vocab, "BIO", sclite_weights=sclite_weights)
    metric(*tensors(vocab, [([f"B-{x}" for x in "xyzab"], [f"B-{x}" for x in "abcde"])]))
    assert metric.get_metric()["cer"] == cer


def test_by_hand():
    vocab = vocabulary()
    pairs = [
        # The borders of the city are wrong, and the concepts right.
        (["B-city", "O", "B-date"], ["B-city", "I-city", "B-date"]),
        # Substituted, inserted.
        (["B-date", "I-date", "B-room-type", "B-city"], ["B-city", "I-city", "I-city", "B-city"]),
        # Deleted; I after O starts a concept.
        (["O", "I-city", "O"], ["B-date", "I-city", "O"]),
        # Nothing but an insertion.
        (["B-city"], ["O"]),
    ]
    metric = ConceptErrorRate(vocab, "BIO")
    for batch in (pairs[:3], pairs[3:]):
        metric(*tensors(vocab, batch))
    expected = {"cer": 4 / 6, "insertion_rate": 2 / 6, "deletion_rate": 1 / 6, "substitution_rate": 1 / 6}
    assert metric.get_metric(reset=True) == pytest.approx(expected)
    assert set(metric.get_metric().values()) == {0.0}


def test_equals_the_definition_on_random_sequences():
    vocab = vocabulary()
    metric = ConceptErrorRate(vocab, "BIO")
    pairs = random_pairs(199)
    for start in range(0, len(pairs), 53):
        metric(*tensors(vocab, pairs[start : start + 53]))
    assert metric.get_metric() == pytest.approx(expected_scores(pairs), rel=1e-12)


def test_bioul():
    vocab = vocabulary(["O", "U-a", "B-a", "L-a", "U-b"])
    metric = ConceptErrorRate(vocab, "BIOUL")
    metric(*tensors(vocab, [(["U-a", "U-a", "U-b"], ["B-a", "L-a", "U-b"])]))
    assert metric.get_metric() == {"cer": 0.5, "insertion_rate": 0.5, "deletion_rate": 0.0, "substitution_rate": 0.0}


def test_a_batch_of_padding_alone_and_errors_without_gold():
    metric = ConceptErrorRate(vocabulary(), "BIO")
    ones = torch.ones(2, 3, dtype=torch.long)
    metric(ones, ones, torch.zeros(2, 3, dtype=torch.bool))
    assert set(metric.get_metric().values()) == {0.0}
    metric(ones, torch.zeros_like(ones), torch.ones(2, 3, dtype=torch.bool))
    assert metric.get_metric()["cer"] == 6.0


@pytest.mark.parametrize(("encoding", "message"), [("BILOU", "found the coding scheme 'BILOU'"), ("BIO", "'U'")])
def test_wrong_encodings(encoding, message):
    with pytest.raises(ConfigurationError, match=message):
        ConceptErrorRate(vocabulary(["O", "U-a"]), encoding)


def count_on_worker(global_rank, world_size, gpu_id, vocab, pairs, expected):
    metric = ConceptErrorRate(vocab, "BIO")
    for batch in (pairs[:10], pairs[10:]):
        metric(*tensors(vocab, batch[global_rank::world_size]))
        metric.get_metric()
    assert metric.get_metric(reset=True) == pytest.approx(expected, rel=1e-12)


def test_workers_count_together():
    pairs = random_pairs(41)
    run_in_two_processes(count_on_worker, vocabulary(), pairs, expected_scores(pairs))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    vocab = vocabulary()
    batch = tensors(vocab, random_pairs(41))
    on_cpu, on_gpu = ConceptErrorRate(vocab, "BIO"), ConceptErrorRate(vocab, "BIO")
    for _ in range(2):
        on_cpu(*batch)
        on_gpu(*(x.cuda() for x in batch))
    assert on_gpu.get_metric() == on_cpu.get_metric()

"""Against enumeration of all tag sequences. What constraints, temperatures and precision add is tested of `crf`."""

import itertools

import pytest
import torch
from torch.testing import assert_close

from nerzoo.nn import linear_chain

NUM_TAGS, LENGTHS = 3, [4, 1, 0, 2]


@pytest.fixture
def chain():
    torch.manual_seed(7)
    shapes = [(len(LENGTHS), max(LENGTHS), NUM_TAGS), (NUM_TAGS, NUM_TAGS), (NUM_TAGS,), (NUM_TAGS,)]
    logits, *scores = (torch.randn(shape, dtype=torch.float64) for shape in shapes)
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)
    return logits.masked_fill(~mask.unsqueeze(2), 1e3), *scores, mask


def sequences(chain, row):
    """All tag sequences of a sentence, best first, and their scores."""
    logits, transitions, start, end, _ = chain

    def score(tags):
        inner = sum(transitions[pair] for pair in itertools.pairwise(tags))
        emitted = sum(logits[row, place, tag] for place, tag in enumerate(tags))
        return (start[tags[0]] + inner + emitted + end[tags[-1]]).item() if tags else 0.0

    found = sorted(itertools.product(range(NUM_TAGS), repeat=LENGTHS[row]), key=score, reverse=True)
    return found, torch.tensor([score(tags) for tags in found], dtype=torch.float64)


def test_log_partition_and_entropy(chain):
    log_z, entropy = linear_chain.log_partition(*chain), linear_chain.entropy(*chain)
    for row in range(len(LENGTHS)):
        _, scores = sequences(chain, row)
        assert_close(log_z[row], scores.logsumexp(0))
        assert_close(entropy[row], torch.special.entr(scores.softmax(0)).sum())


def test_log_marginals(chain):
    found = linear_chain.log_marginals(*chain)
    for row, length in enumerate(LENGTHS):
        all_tags, scores = sequences(chain, row)
        for place in range(length):
            expected = torch.zeros(NUM_TAGS, dtype=torch.float64)
            for tags, probability in zip(all_tags, scores.softmax(0), strict=True):
                expected[tags[place]] += probability
            assert_close(found[row, place].exp(), expected)
        assert not found[row, length:].any()


def test_gradients_of_log_marginals(chain):
    logits, *scores, mask = chain
    inputs = [part.requires_grad_() for part in (logits.detach(), *scores)]
    assert torch.autograd.gradcheck(lambda *parts: linear_chain.log_marginals(*parts, mask), inputs)


def test_log_marginals_of_impossible_tags_are_finite(chain):
    logits, *scores, mask = chain
    logits = logits.masked_fill(torch.arange(NUM_TAGS) == 1, -1e4).requires_grad_()
    found = linear_chain.log_marginals(logits, *scores, mask)
    assert found.isfinite().all() and (found[..., 1][mask] < -700).all()
    found[..., 0].sum().backward()
    assert logits.grad.isfinite().all()


@pytest.mark.parametrize("k", [1, 2, 5])
def test_best_sequences(chain, k):
    tags, scores = linear_chain.best_sequences(*chain, k)
    for row, length in enumerate(LENGTHS):
        expected, expected_scores = sequences(chain, row)
        num_found = min(k, len(expected))
        assert [tuple(found) for found in tags[row, :num_found, :length].tolist()] == expected[:num_found]
        assert_close(scores[row, :num_found], expected_scores[:num_found])
        assert scores[row, num_found:].isneginf().all() and not tags[row, num_found:].any()
        assert not tags[row, :, length:].any()


def test_best_sequence_is_the_first_of_the_best(chain):
    tags, scores = linear_chain.best_sequence(*chain)
    of_two, scores_of_two = linear_chain.best_sequences(*chain, 2)
    assert torch.equal(tags, of_two[:, 0])
    assert_close(scores, scores_of_two[:, 0])


@pytest.mark.parametrize("continuation", [-1, 1])
def test_entity_probabilities(chain, continuation):
    spans = [(row, *span) for row, n in enumerate(LENGTHS) for span in itertools.combinations(range(n + 1), 2)]
    tags = torch.randint(NUM_TAGS, (len(LENGTHS), max(LENGTHS)))
    continuations = torch.full((len(spans),), continuation)
    found = linear_chain.entity_probabilities(*chain, tags, torch.tensor(spans), continuations)
    for (row, start, end), probability in zip(spans, found, strict=True):
        all_tags, scores = sequences(chain, row)
        entity = tuple(tags[row, start:end].tolist())
        is_it = [some[start:end] == entity and some[end : end + 1] != (continuation,) for some in all_tags]
        assert_close(probability, scores.softmax(0)[torch.tensor(is_it)].sum())


def test_scores_of_many_tokens_neither_overflow_nor_vanish():
    """Of tags that do not depend on each other: all are as likely in one sentence, one is almost certain in another."""
    length = 1200
    logits = torch.zeros(2, length, NUM_TAGS, dtype=torch.float64)
    logits[1, :, 1] = 9.0
    zeros, mask = torch.zeros(NUM_TAGS, NUM_TAGS, dtype=torch.float64), torch.ones(2, length, dtype=torch.bool)
    chain = logits, zeros, zeros[0], zeros[0], mask
    assert_close(linear_chain.log_partition(*chain), logits.logsumexp(2).sum(1))
    assert_close(linear_chain.entropy(*chain), torch.special.entr(logits.softmax(2)).sum((1, 2)))
    assert_close(linear_chain.log_marginals(*chain), logits.log_softmax(2))
    tags, spans = torch.ones(2, length, dtype=torch.long), torch.tensor([[0, 600, 602], [1, 600, 602]])
    found = linear_chain.entity_probabilities(*chain, tags, spans, torch.tensor([-1, -1]))
    assert_close(found, logits.softmax(2)[:, 0, 1] ** 2)


@pytest.mark.parametrize("dtype, expected", [(torch.bfloat16, torch.float32), (torch.float64, torch.float64)])
def test_results_are_in_the_precision_of_the_logits_or_float32(chain, dtype, expected):
    logits, transitions, start, end, mask = chain
    chain = logits.to(dtype), transitions.float(), start.float(), end.float(), mask
    tags, spans = torch.zeros(mask.shape, dtype=torch.long), torch.tensor([[0, 0, 1]])
    found = [
        linear_chain.log_partition(*chain),
        linear_chain.entropy(*chain),
        linear_chain.log_marginals(*chain),
        linear_chain.entity_probabilities(*chain, tags, spans, torch.tensor([1])),
        linear_chain.best_sequence(*chain)[1],
        linear_chain.best_sequences(*chain, 2)[1],
    ]
    assert [result.dtype for result in found] == [expected] * 6


def test_tags_of_a_sentence_without_a_possible_sequence_are_zeros(chain):
    logits, *others = chain
    logits[0, :, 1] = 9.0
    logits[0, -1] = float("-inf")
    tags, scores = linear_chain.best_sequence(logits, *others)
    assert scores[0].isneginf() and not tags[0].any()
    assert scores[1].isfinite()

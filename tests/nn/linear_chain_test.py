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

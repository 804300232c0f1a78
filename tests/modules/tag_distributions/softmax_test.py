from itertools import product

import pytest
import torch
from torch.testing import assert_close

from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution, TagDistribution

NUM_TAGS = 5
LENGTHS = [7, 1, 0, 3]
SPANS = torch.tensor([[0, 2, 5], [0, 5, 7], [1, 0, 1], [3, 0, 1]])
CONTINUATION = torch.tensor([1, 3, 2, -1])


@pytest.fixture
def decoder() -> SoftmaxDistribution:
    return SoftmaxDistribution(NUM_TAGS)


@pytest.fixture
def crf() -> ConditionalRandomField:
    """One without transitions: the same distribution."""
    crf = ConditionalRandomField(NUM_TAGS, include_start_end_transitions=False).double()
    torch.nn.init.zeros_(crf.transitions)
    return crf


@pytest.fixture
def batch():
    torch.manual_seed(17)
    logits = torch.randn(len(LENGTHS), max(LENGTHS), NUM_TAGS, dtype=torch.float64)
    tags = torch.randint(NUM_TAGS, logits.shape[:2])
    return logits, tags, torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def test_is_registered():
    assert TagDistribution.by_name("softmax") is SoftmaxDistribution


def test_log_likelihood(decoder, crf, batch):
    logits, tags, mask = batch
    expected = -torch.nn.functional.cross_entropy(logits.transpose(1, 2), tags, reduction="none")
    found = decoder.log_likelihood(logits, tags, mask)
    assert_close(found, (expected * mask).sum(1))
    assert_close(found, crf.log_likelihood(logits, tags, mask))


def test_log_marginals(decoder, crf, batch):
    logits, _, mask = batch
    decoder.temperature = crf.temperature = 1.7
    assert_close(decoder.log_marginals(logits, mask), crf.log_marginals(logits, mask))


def test_viterbi(decoder, crf, batch):
    logits, _, mask = batch
    for found, expected in zip(decoder.viterbi(logits, mask), crf.viterbi(logits, mask), strict=True):
        assert_close(found, expected)


@pytest.mark.parametrize("num_tags", [1, 2, NUM_TAGS])
@pytest.mark.parametrize("top_k", [1, 2, 3, 7, 130])
def test_the_k_best_equal_enumeration(num_tags, top_k):
    torch.manual_seed(19)
    lengths = [3, 1, 0, 2]
    logits = torch.randn(len(lengths), max(lengths), num_tags, dtype=torch.float64)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    tags, scores = SoftmaxDistribution(num_tags).viterbi(logits.masked_fill(~mask.unsqueeze(2), 99.0), mask, top_k)
    assert tags.shape == (len(lengths), top_k, max(lengths))
    assert scores.shape == (len(lengths), top_k)
    for row, length in enumerate(lengths):
        paths = product(range(num_tags), repeat=length)
        scored = sorted(((sum(logits[row, t, tag].item() for t, tag in enumerate(p)), p) for p in paths), reverse=True)
        expected = scored[:top_k]
        assert scores[row, : len(expected)].tolist() == pytest.approx([score for score, _ in expected], rel=1e-12)
        padding = (0,) * (max(lengths) - length)
        assert [tuple(path) for path in tags[row, : len(expected)].tolist()] == [path + padding for _, path in expected]
        assert (scores[row, len(expected) :] == float("-inf")).all()
        assert not tags[row, len(expected) :].any()


@pytest.mark.parametrize("top_k", [1, 2, 40])
def test_the_k_best_of_ties_differ(decoder, batch, top_k):
    _, _, mask = batch
    tags, scores = decoder.viterbi(torch.zeros(*mask.shape, NUM_TAGS), mask, top_k)
    for row, length in enumerate(LENGTHS):
        number = min(top_k, NUM_TAGS**length)
        assert scores[row].tolist() == [0.0] * number + [float("-inf")] * (top_k - number)
        assert len({tuple(path) for path in tags[row, :number].tolist()}) == number


def test_the_k_best_are_those_of_a_crf_without_transitions(decoder, crf, batch):
    logits, _, mask = batch
    for found, expected in zip(decoder.viterbi(logits, mask, 9), crf.viterbi(logits, mask, 9), strict=True):
        assert_close(found, expected)


def test_marginals(decoder, batch):
    logits, _, mask = batch
    with torch.no_grad():
        assert_close(decoder.marginals(logits, mask), logits.softmax(2) * mask.unsqueeze(2))


def test_entropy_is_the_sum_of_those_of_tags(decoder, crf, batch):
    logits, _, mask = batch
    expected = torch.distributions.Categorical(logits=logits).entropy() * mask
    found = decoder.entropy(logits.masked_fill(~mask.unsqueeze(2), float("-inf")), mask)
    assert_close(found, expected.sum(1))
    assert_close(found, crf.entropy(logits, mask))
    # A tag that cannot be adds nothing.
    logits[:, :, 1] = float("-inf")
    expected = torch.distributions.Categorical(logits=logits[:, :, [0, 2, 3, 4]]).entropy() * mask
    assert_close(decoder.entropy(logits, mask), expected.sum(1))


def test_probability_of_the_best(decoder, crf, batch):
    logits, _, mask = batch
    tags = logits.argmax(2)
    found = decoder.best_probability(logits, mask, tags)
    assert_close(found, logits.softmax(2).amax(2).masked_fill(~mask, 1.0).prod(1))
    assert_close(found, crf.best_probability(logits, mask, tags))


@pytest.mark.parametrize("temperature", [0.3, 3.1])
def test_a_temperature_divides_logits(decoder, batch, temperature):
    logits, tags, mask = batch
    expected = SoftmaxDistribution(NUM_TAGS)
    decoder.temperature = temperature
    for name in ("log_likelihood", "path_score", "decodable_log_likelihood"):
        assert_close(
            getattr(decoder, name)(logits, tags, mask), getattr(expected, name)(logits / temperature, tags, mask)
        )
    for name in ("marginals", "entropy", "log_partition"):
        assert_close(getattr(decoder, name)(logits, mask), getattr(expected, name)(logits / temperature, mask))
    for top_k in (1, 3):
        found, reference = (
            part.viterbi(x, mask, top_k) for part, x in ((decoder, logits), (expected, logits / temperature))
        )
        assert torch.equal(found[0], reference[0])
        assert_close(found[1], reference[1])
    assert_close(
        decoder.entity_probabilities(logits, mask, tags, SPANS, CONTINUATION),
        expected.entity_probabilities(logits / temperature, mask, tags, SPANS, CONTINUATION),
    )


def test_entity_probabilities(decoder, crf, batch):
    logits, tags, mask = batch
    found = decoder.entity_probabilities(logits, mask, tags, SPANS, CONTINUATION)
    probabilities = logits.softmax(2)
    expected = [
        probabilities[0, 2, tags[0, 2]]
        * probabilities[0, 3, tags[0, 3]]
        * probabilities[0, 4, tags[0, 4]]
        * (1 - probabilities[0, 5, 1]),
        probabilities[0, 5, tags[0, 5]] * probabilities[0, 6, tags[0, 6]],
        probabilities[1, 0, tags[1, 0]],
        probabilities[3, 0, tags[3, 0]],
    ]
    assert_close(found, torch.stack(expected))
    assert_close(found, crf.entity_probabilities(logits, mask, tags, SPANS, CONTINUATION))


def test_no_entities(decoder, batch):
    logits, tags, mask = batch
    assert decoder.entity_probabilities(logits, mask, tags, SPANS[:0], CONTINUATION[:0]).shape == (0,)


def test_gradients(decoder, batch):
    logits, tags, mask = batch
    assert torch.autograd.gradcheck(lambda x: decoder.log_likelihood(x, tags, mask), logits.requires_grad_())


def test_autocast(decoder, batch):
    logits, tags, mask = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = decoder.log_likelihood(logits.bfloat16(), tags, mask)
        _, scores = decoder.viterbi(logits.bfloat16(), mask, 3)
    assert found.dtype == scores.dtype == torch.float32
    assert_close(found, decoder.log_likelihood(logits.bfloat16().float(), tags, mask))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(decoder, batch):
    logits, tags, mask = batch
    on_gpu = [x.cuda() for x in batch]
    assert_close(decoder.log_likelihood(*on_gpu).cpu(), decoder.log_likelihood(logits, tags, mask))
    for top_k in (1, 4):
        found, expected = decoder.viterbi(on_gpu[0], on_gpu[2], top_k), decoder.viterbi(logits, mask, top_k)
        assert_close([x.cpu() for x in found], list(expected))

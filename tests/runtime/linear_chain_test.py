import numpy
import pytest
import torch
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions

from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution
from nerzoo.runtime.linear_chain import LinearChain

TAGS = {0: "O", 1: "B-X", 2: "I-X", 3: "B-Y", 4: "I-Y"}
BIO = allowed_transitions("BIO", TAGS)
LENGTHS = torch.tensor([7, 1, 4, 3])
MASK = torch.arange(7) < LENGTHS.unsqueeze(1)
# The last one ends its sentence, and so does the only word of another.
SPANS = torch.tensor([[0, 0, 2], [0, 3, 4], [0, 6, 7], [1, 0, 1], [2, 1, 4], [3, 0, 1]])
CONTINUATION = torch.tensor([2, -1, 4, 2, 4, 2])


@pytest.fixture(
    params=[
        lambda: ConditionalRandomField(5),
        lambda: ConditionalRandomField(5, BIO),
        lambda: ConditionalRandomField(5, BIO, include_start_end_transitions=False),
        lambda: ConditionalRandomField(5, BIO, constrain_decoding=False),
        lambda: SoftmaxDistribution(5),
    ],
    ids=["free", "constraints", "no_start_end", "free_decoding", "softmax"],
)
def distribution(request):
    torch.manual_seed(7)
    return request.param()


@pytest.mark.parametrize(("scale", "temperature"), [(1, 1.0), (100, 1.0), (3, 2.5)])
def test_decodes_as_the_distribution_does(distribution, scale, temperature):
    distribution.temperature = temperature
    torch.manual_seed(11)
    logits = scale * torch.randn(4, 7, 5)
    chain = LinearChain(distribution.transition_scores().numpy(), temperature)
    found = chain.viterbi(logits.numpy(), MASK.numpy())
    tags = distribution.viterbi(logits, MASK)[0].squeeze(1)
    assert found.tolist() == tags.tolist()
    expected = distribution.entity_probabilities(logits, MASK, tags, SPANS, CONTINUATION)
    arguments = (x.numpy() for x in (logits, MASK, tags, SPANS, CONTINUATION))
    numpy.testing.assert_allclose(chain.entity_probabilities(*arguments), expected.numpy(), rtol=1e-4, atol=1e-7)


def test_what_is_added_to_all_scores_of_a_word_changes_nothing(distribution):
    logits = torch.randn(4, 7, 5).numpy()
    chain = LinearChain(distribution.transition_scores().numpy())
    tags = chain.viterbi(logits, MASK.numpy())
    arguments = (MASK.numpy(), tags, SPANS.numpy(), CONTINUATION.numpy())
    expected = chain.entity_probabilities(logits, *arguments)
    for added in (1000, 1000 * (numpy.arange(7) % 2)[:, numpy.newaxis]):
        found = chain.entity_probabilities((logits + added).astype(numpy.float32), *arguments)
        numpy.testing.assert_allclose(found, expected, rtol=1e-2)


def test_a_certain_continuation_leaves_nothing():
    """All that may follow the entity would prolong it."""
    scores = numpy.full((4, 4), -numpy.inf)
    scores[:2, 1], scores[2, :2], scores[:2, 3] = 0, 0, 0
    tags = numpy.array([[0, 1]])
    one = numpy.array([[0, 0, 1]])
    found = LinearChain(scores).entity_probabilities(
        numpy.zeros((1, 2, 2), numpy.float32), tags >= 0, tags, one, numpy.array([1])
    )
    assert found[0] == pytest.approx(0, abs=1e-6)

import itertools
import math

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import ConditionalRandomField as AllenNlpCrf
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions
from torch.testing import assert_close

from nerzoo.modules.tag_distributions import ConditionalRandomField, TagDistribution

NUM_TAGS = 3
LENGTHS = [5, 1, 0, 3, 2]
# B-X, I-X, O
BIO = allowed_transitions("BIO", {0: "B-X", 1: "I-X", 2: "O"})
VARIANTS = {
    "plain": {},
    "no_start_end": {"include_start_end_transitions": False},
    "constraints": {"constraints": BIO},
    "constraints_no_start_end": {"constraints": BIO, "include_start_end_transitions": False},
    "constrained_partition": {"constraints": BIO, "constrain_partition": True},
    "temperature": {"constraints": BIO, "temperature": 2.7},
    "low_temperature": {"constraints": BIO, "constrain_partition": True, "temperature": 0.4},
}


@pytest.fixture(params=VARIANTS)
def crf(request) -> ConditionalRandomField:
    torch.manual_seed(13)
    options = {**VARIANTS[request.param]}
    temperature = options.pop("temperature", 1.0)
    crf = ConditionalRandomField(NUM_TAGS, **options).double()
    crf.temperature = temperature
    return crf


@pytest.fixture
def logits() -> torch.Tensor:
    torch.manual_seed(29)
    return torch.randn(len(LENGTHS), max(LENGTHS), NUM_TAGS, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


@pytest.fixture
def tags() -> torch.Tensor:
    torch.manual_seed(31)
    return torch.randint(NUM_TAGS, (len(LENGTHS), max(LENGTHS)))


def allowed(crf, path) -> bool:
    edges = itertools.pairwise([crf.num_tags, *path, crf.num_tags + 1])
    return crf.constraints is None or all(edge in crf.constraints for edge in edges)


def score(crf, logits, path) -> float:
    total = crf.start_transitions[path[0]] + crf.end_transitions[path[-1]]
    total = total + sum(crf.transitions[edge] for edge in itertools.pairwise(path))
    return (total + sum(logits[t, tag] for t, tag in enumerate(path))).item() / crf.temperature


def paths(crf, logits, length, constrained):
    """All paths of a sentence and their scores, best first."""
    all_paths = itertools.product(range(crf.num_tags), repeat=length)
    scored = [(score(crf, logits, path), path) for path in all_paths if not constrained or allowed(crf, path)]
    return sorted(scored, reverse=True)


def probability(crf, logits, length, event, constrained) -> float:
    """The share in Z of the paths for which `event` is true."""
    scored = paths(crf, logits, length, constrained)
    return sum(math.exp(s) for s, path in scored if event(path)) / sum(math.exp(s) for s, _ in scored)


def test_is_registered():
    assert TagDistribution.by_name("crf") is ConditionalRandomField


def test_log_likelihood_equals_enumeration(crf, logits, tags, mask):
    log_likelihood = crf.log_likelihood(logits, tags, mask)
    for b, length in enumerate(LENGTHS):
        gold = tuple(tags[b, :length].tolist())
        if length == 0:
            assert log_likelihood[b] == 0.0
        elif crf.constrain_partition and not allowed(crf, gold):
            assert log_likelihood[b] < crf.VIOLATION / 2
        else:
            expected = probability(
                crf, logits[b], length, lambda path, gold=gold: path == gold, crf.constrain_partition
            )
            assert log_likelihood[b].exp().item() == pytest.approx(expected, rel=1e-10)


def test_log_marginals_match_marginals(crf, logits, mask):
    assert_close(crf.log_marginals(logits, mask).exp() * mask.unsqueeze(2), crf.marginals(logits, mask))


@pytest.mark.parametrize("top_k", [1, 2, 7])
def test_viterbi_equals_enumeration(crf, logits, mask, top_k):
    tags, scores = crf.viterbi(logits, mask, top_k)
    assert tags.shape == (len(LENGTHS), top_k, max(LENGTHS))
    assert scores.shape == (len(LENGTHS), top_k)
    for b, length in enumerate(LENGTHS):
        expected = paths(crf, logits[b], length, constrained=True)[:top_k] if length else [(0.0, ())]
        padding = (0,) * (max(LENGTHS) - length)
        for k, (expected_score, path) in enumerate(expected):
            assert tuple(tags[b, k].tolist()) == path + padding
            assert scores[b, k].item() == pytest.approx(expected_score, rel=1e-10)
        assert (scores[b, len(expected) :] == float("-inf")).all()
        assert (tags[b, len(expected) :] == 0).all()


@pytest.mark.parametrize("top_k", [1, 5])
def test_viterbi_of_ties(mask, top_k):
    crf = ConditionalRandomField(NUM_TAGS, BIO, include_start_end_transitions=False)
    torch.nn.init.zeros_(crf.transitions)
    logits = torch.zeros(len(LENGTHS), max(LENGTHS), NUM_TAGS)
    tags, scores = crf.viterbi(logits, mask, top_k)
    assert (scores[:, 0] == 0).all()
    for b, length in enumerate(LENGTHS):
        found = [tuple(path) for path, s in zip(tags[b, :, :length].tolist(), scores[b], strict=True) if s == 0]
        assert len(set(found)) == len(found)
        assert length == 0 or all(allowed(crf, path) for path in found)
    again, _ = crf.viterbi(logits, mask, top_k)
    assert torch.equal(tags, again)


@pytest.mark.parametrize("top_k", [1, 2])
def test_viterbi_where_no_sequence_is_allowed(logits, mask, top_k):
    # O alone may follow O, but neither start nor end a sentence.
    crf = ConditionalRandomField(NUM_TAGS, [(2, 2)])
    tags, scores = crf.viterbi(logits, mask, top_k)
    assert not tags.any()
    best = torch.where(mask[:, 0], float("-inf"), 0.0).double()
    assert torch.equal(scores[:, 0], best)


def test_constraints_hold_against_any_logits():
    crf = ConditionalRandomField(NUM_TAGS, BIO)
    logits = torch.full((1, 5, NUM_TAGS), -1e4)
    logits[:, :, 1] = 1e4
    tags, _ = crf.viterbi(logits, torch.ones(1, 5, dtype=torch.bool))
    assert tags.tolist() == [[[0, 1, 1, 1, 1]]]


def test_unconstrained_decoding_is_that_without_constraints(logits, mask):
    crf = ConditionalRandomField(logits.size(2), [(0, 1), (1, 0)], constrain_decoding=False).double()
    free = ConditionalRandomField(logits.size(2)).double()
    free.load_state_dict(crf.state_dict())
    for top_k in (1, 3):
        for ours, theirs in zip(crf.viterbi(logits, mask, top_k), free.viterbi(logits, mask, top_k), strict=True):
            assert torch.equal(ours, theirs)
    assert torch.equal(crf.log_partition(logits, mask, True), free.log_partition(logits, mask))


def test_a_constrained_partition_needs_constrained_decoding():
    with pytest.raises(ConfigurationError, match="constrain_partition: true with constrain_decoding: false"):
        ConditionalRandomField(3, constrain_partition=True, constrain_decoding=False)


def test_marginals_equal_enumeration(crf, logits, mask):
    with torch.no_grad():
        marginals = crf.marginals(logits, mask)
    assert not marginals.requires_grad
    for b, length in enumerate(LENGTHS):
        assert (marginals[b, length:] == 0).all()
        for t, tag in itertools.product(range(length), range(NUM_TAGS)):
            expected = probability(
                crf, logits[b], length, lambda path, t=t, tag=tag: path[t] == tag, crf.constrain_partition
            )
            assert marginals[b, t, tag].item() == pytest.approx(expected, rel=1e-9)


def test_entropy_equals_enumeration(crf, logits, mask):
    found = crf.entropy(logits.masked_fill(~mask.unsqueeze(2), 1e3), mask)
    for b, length in enumerate(LENGTHS):
        # Among the sequences that can be decoded, whatever the partition function in training.
        weights = [math.exp(s) for s, _ in paths(crf, logits[b], length, constrained=True)] if length else [1.0]
        shares = [weight / sum(weights) for weight in weights]
        assert found[b].item() == pytest.approx(-sum(p * math.log(p) for p in shares), rel=1e-9)


def test_entropy_is_that_of_pairs_less_that_of_tags(logits, mask):
    """By the chain rule it is the sum over pairs of neighbours less that over all tags but the first and the last."""
    crf = ConditionalRandomField(NUM_TAGS).double()
    marginals, expected = crf.marginals(logits, mask), []
    for b, length in enumerate(LENGTHS):
        of_tags = torch.special.entr(marginals[b]).sum(1)[1 : max(length - 1, 0)].sum().item()
        of_pairs = 0.0
        for t, first, second in itertools.product(range(length - 1), range(NUM_TAGS), range(NUM_TAGS)):

            def is_pair(path, t=t, pair=(first, second)):
                return path[t : t + 2] == pair

            share = probability(crf, logits[b], length, is_pair, constrained=False)
            of_pairs -= share * math.log(share)
        single = torch.special.entr(marginals[b, 0]).sum().item() if length == 1 else 0.0
        expected.append(of_pairs - of_tags + single)
    assert crf.entropy(logits, mask).tolist() == pytest.approx(expected, rel=1e-9)


def test_entropy_of_certain_and_of_any_tags():
    crf = ConditionalRandomField(NUM_TAGS, include_start_end_transitions=False)
    torch.nn.init.zeros_(crf.transitions)
    logits, mask = torch.zeros(2, 3000, NUM_TAGS), torch.ones(2, 3000, dtype=torch.bool)
    logits[1, :, 2] = 1e4
    assert crf.entropy(logits, mask).tolist() == pytest.approx([3000 * math.log(NUM_TAGS), 0.0], rel=1e-6)


def test_probability_of_the_best_equals_enumeration(crf, logits, mask):
    tags, _ = crf.viterbi(logits, mask)
    found = crf.best_probability(logits, mask, tags.squeeze(1))
    for b, length in enumerate(LENGTHS):
        scores = [s for s, _ in paths(crf, logits[b], length, constrained=True)] if length else [0.0]
        assert found[b].item() == pytest.approx(math.exp(scores[0]) / sum(map(math.exp, scores)), rel=1e-9)


def test_decodable_log_likelihood_equals_enumeration(crf, logits, mask):
    # Of the third best sequences, where there are so many.
    tags, scores = crf.viterbi(logits, mask, 3)
    found = crf.decodable_log_likelihood(logits, tags[:, 2], mask)
    for b, length in enumerate(LENGTHS):
        if scores[b, 2] > float("-inf"):
            path = tuple(tags[b, 2, :length].tolist())
            expected = probability(crf, logits[b], length, lambda other, path=path: other == path, constrained=True)
            assert found[b].item() == pytest.approx(math.log(expected), rel=1e-9)
    assert found[LENGTHS.index(0)] == 0


def test_what_is_decoded_does_not_depend_on_the_temperature(logits, mask):
    crf = ConditionalRandomField(NUM_TAGS, BIO)
    logits = logits.float().repeat(50, 1, 1)
    logits += torch.randn_like(logits)
    mask = mask.repeat(50, 1)
    expected = [crf.viterbi(logits, mask, top_k)[0] for top_k in (1, 4)]
    crf.temperature = 1.3
    for top_k, tags in zip((1, 4), expected, strict=True):
        assert torch.equal(crf.viterbi(logits, mask, top_k)[0], tags)


@pytest.mark.parametrize("continuation", [1, -1])
def test_entity_probabilities_equal_enumeration(crf, logits, tags, mask, continuation):
    # Every span of every sentence, so those that end with the sentence too.
    spans = [(b, i, j) for b, n in enumerate(LENGTHS) for i, j in itertools.combinations(range(n + 1), 2)]
    found = crf.entity_probabilities(
        logits, mask, tags, torch.tensor(spans), torch.full((len(spans),), continuation, dtype=torch.long)
    )
    for (b, start, end), p in zip(spans, found.tolist(), strict=True):
        span = tuple(tags[b, start:end].tolist())

        def is_entity(path, start=start, end=end, span=span):
            return path[start:end] == span and path[end : end + 1] != (continuation,)

        # Among the sequences that can be decoded, whatever the partition function in training.
        expected = probability(crf, logits[b], LENGTHS[b], is_entity, constrained=True)
        assert p == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_an_entity_at_the_end_has_no_continuation(crf, logits, mask):
    tags, _ = crf.viterbi(logits, mask)
    spans = torch.tensor([(b, n - 1, n) for b, n in enumerate(LENGTHS) if n])
    with_continuation, without = (
        crf.entity_probabilities(logits, mask, tags.squeeze(1), spans, torch.full((len(spans),), continuation))
        for continuation in (1, -1)
    )
    assert_close(with_continuation, without)


def test_entity_probabilities_of_a_long_sentence_do_not_depend_on_others():
    """Neither on padding nor on how many there are; log Z is some thousands, of which float32 has three decimals."""
    torch.manual_seed(1)
    crf, length = ConditionalRandomField(5), 2000
    logits, mask = 3 * torch.randn(2, length, 5), torch.ones(2, length, dtype=torch.bool)
    mask[1, 700:] = False
    tags, _ = crf.viterbi(logits, mask)
    spans = torch.tensor([(row, i, i + 2) for row, n in ((0, length), (1, 700)) for i in range(0, n, 2)])
    continuation = torch.ones(len(spans), dtype=torch.long)
    together = crf.entity_probabilities(logits, mask, tags.squeeze(1), spans, continuation)
    alone = spans[1000:].clone()
    alone[:, 0] = 0
    tags, mask = tags.squeeze(1)[1:, :700], mask[1:, :700]
    found = crf.entity_probabilities(logits[1:, :700], mask, tags, alone, continuation[1000:])
    assert_close(found, together[1000:], atol=1e-7, rtol=1e-6)
    expected = crf.double().entity_probabilities(logits[1:, :700].double(), mask, tags, alone, continuation[1000:])
    assert_close(found, expected.float(), atol=1e-5, rtol=1e-4)


def test_no_entities(crf, logits, tags, mask):
    spans, continuation = torch.empty(0, 3, dtype=torch.long), torch.empty(0, dtype=torch.long)
    assert crf.entity_probabilities(logits, mask, tags, spans, continuation).shape == (0,)


def test_one_token(crf, logits, tags, mask):
    logits, tags, mask = logits[:, :1], tags[:, :1], mask[:, :1]
    log_likelihood = crf.log_likelihood(logits, tags, mask)
    assert log_likelihood[mask[:, 0]].isfinite().all() and log_likelihood[2] == 0
    assert crf.viterbi(logits, mask, 2)[0].shape == (len(LENGTHS), 2, 1)
    assert_close(crf.marginals(logits, mask).sum(2), mask.double())


def test_a_sentence_alone_equals_the_sentence_in_a_batch(crf, logits, tags, mask):
    poisoned = logits.masked_fill(~mask.unsqueeze(2), 1e3)
    together = crf.log_likelihood(poisoned, tags.masked_fill(~mask, 1), mask)
    for b, n in enumerate(LENGTHS):
        if n:
            row = slice(b, b + 1)
            alone = crf.log_likelihood(logits[row, :n], tags[row, :n], mask[row, :n])
            assert_close(together[row], alone)


def test_gradients(crf, logits, tags, mask):
    if crf.constrain_partition:
        tags.fill_(2)  # A penalty of a million would drown the finite differences.
    inputs = [logits.requires_grad_(), *crf.parameters()]
    # It perturbs its inputs in place, hence sees the parameters too.
    assert torch.autograd.gradcheck(lambda *_: crf.log_likelihood(logits, tags, mask), inputs)


@pytest.mark.parametrize("scale", [1e4, -1e4])
def test_extreme_logits_have_finite_gradients(crf, logits, tags, mask, scale):
    crf.float()
    logits = (scale * logits).float().requires_grad_()
    log_likelihood = crf.log_likelihood(logits, tags, mask)
    log_likelihood.sum().backward()
    assert log_likelihood.isfinite().all()
    assert logits.grad.isfinite().all() and (logits.grad[~mask] == 0).all()
    assert all(parameter.grad.isfinite().all() for parameter in crf.parameters())
    assert_close(crf.marginals(logits, mask).sum(2), mask.float())
    assert crf.entropy(logits.detach(), mask).isfinite().all()
    tags, _ = crf.viterbi(logits, mask)
    assert (((best := crf.best_probability(logits, mask, tags.squeeze(1))) >= 0) & (best <= 1)).all()


def test_autocast(crf, logits, tags, mask):
    crf.float()
    spans, continuation = torch.tensor([[0, 1, 3], [3, 2, 3]]), torch.tensor([1, -1])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = logits.bfloat16()
        found = crf.log_likelihood(half, tags, mask)
        results = [found, crf.viterbi(half, mask, 3)[1], crf.marginals(half, mask)]
        results.append(crf.entity_probabilities(half, mask, tags, spans, continuation))
        results += [crf.entropy(half, mask), crf.best_probability(half, mask, tags)]
    assert all(result.dtype == torch.float32 for result in results)
    assert_close(found, crf.log_likelihood(half.float(), tags, mask))


def test_transitions_can_be_frozen_at_zero(logits, tags, mask):
    crf = ConditionalRandomField(NUM_TAGS).double()
    for parameter in crf.parameters():
        torch.nn.init.zeros_(parameter.requires_grad_(False))
    crf.log_likelihood(logits.requires_grad_(), tags, mask).sum().backward()
    assert all(parameter.grad is None for parameter in crf.parameters())
    assert_close(crf.marginals(logits, mask), logits.softmax(2) * mask.unsqueeze(2))


@pytest.mark.parametrize("include_start_end_transitions", [True, False])
def test_agrees_with_allennlp(include_start_end_transitions):
    torch.manual_seed(41)
    labels = dict(enumerate(f"{p}-{t}" for p in "BIUL" for t in ("PER", "LOC"))) | {8: "O"}
    constraints = allowed_transitions("BIOUL", labels)
    theirs = AllenNlpCrf(len(labels), constraints, include_start_end_transitions)
    ours = ConditionalRandomField(len(labels), constraints, include_start_end_transitions)
    missing = ours.load_state_dict(theirs.state_dict(), strict=False)
    assert missing.missing_keys == []

    lengths = torch.randint(1, 14, (7,))
    mask = torch.arange(13) < lengths.unsqueeze(1)
    logits, tags = torch.randn(7, 13, len(labels)), torch.randint(len(labels), (7, 13))
    assert_close(ours.log_likelihood(logits, tags, mask).sum(), theirs(logits, tags, mask))
    best, scores = ours.viterbi(logits, mask, top_k=3)
    for b, paths_of_sentence in enumerate(theirs.viterbi_tags(logits, mask, top_k=3)):
        for k, (path, path_score) in enumerate(paths_of_sentence):
            if path_score > -1e3:  # AllenNLP fills up with violations of -1e4 each.
                assert best[b, k, : lengths[b]].tolist() == path
                assert scores[b, k].item() == pytest.approx(path_score, rel=1e-5)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(crf, logits, tags, mask):
    spans, continuation = torch.tensor([[0, 1, 3], [3, 2, 3]]), torch.tensor([1, -1])
    on_cpu = (
        *crf.viterbi(logits, mask, 3),
        crf.log_likelihood(logits, tags, mask),
        crf.marginals(logits, mask),
        crf.entity_probabilities(logits, mask, tags, spans, continuation),
        crf.entropy(logits, mask),
    )
    crf, logits, tags, mask, spans, continuation = (x.cuda() for x in (crf, logits, tags, mask, spans, continuation))
    on_gpu = (
        *crf.viterbi(logits, mask, 3),
        crf.log_likelihood(logits, tags, mask),
        crf.marginals(logits, mask),
        crf.entity_probabilities(logits, mask, tags, spans, continuation),
        crf.entropy(logits, mask),
    )
    for expected, found in zip(on_cpu, on_gpu, strict=True):
        assert_close(found.cpu(), expected)

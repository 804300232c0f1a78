import math

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from nerzoo.modules import language_model_heads
from nerzoo.modules.language_model_heads import AdaptiveSoftmaxHead, LanguageModelHead, NceHead, SoftmaxHead

INPUT_SIZE, NUM_WORDS = 5, 11
TARGETS = torch.tensor([0, 3, 10, 3, 7, 1, 0])


@pytest.fixture
def loss():
    torch.manual_seed(7)
    params = Params({"type": "softmax", "input_size": INPUT_SIZE, "num_words": NUM_WORDS})
    loss = LanguageModelHead.from_params(params)
    assert isinstance(loss, SoftmaxHead)
    return loss.double()


@pytest.fixture
def inputs():
    torch.manual_seed(3)
    return torch.randn(len(TARGETS), INPUT_SIZE, dtype=torch.float64)


def log_probability(loss, x, word):
    """Equation 2.5, word by word."""
    weight, bias = loss.word_projection.weight, loss.word_projection.bias
    scores = [(x @ weight[i] + bias[i]).item() for i in range(NUM_WORDS)]
    return math.log(math.exp(scores[word]) / sum(map(math.exp, scores)))


def test_equals_the_softmax_word_by_word(loss, inputs):
    expected = torch.tensor([[log_probability(loss, x, w) for w in range(NUM_WORDS)] for x in inputs]).double()
    of_targets = expected.gather(1, TARGETS.unsqueeze(1)).squeeze(1)
    assert_close(loss.log_probabilities(inputs), expected)
    assert_close(loss.target_log_probabilities(inputs, TARGETS), of_targets)
    assert_close(loss(inputs, TARGETS), -of_targets.mean())


def test_pieces_make_no_difference(loss, inputs, monkeypatch):
    expected = loss.target_log_probabilities(inputs, TARGETS)
    monkeypatch.setattr(language_model_heads, "POSITIONS_AT_A_TIME", 3)
    assert_close(loss.target_log_probabilities(inputs, TARGETS), expected)


def test_half_precision_is_left_for_the_distribution(loss, inputs):
    log_probabilities = loss.bfloat16().log_probabilities(inputs.bfloat16())
    assert log_probabilities.dtype == torch.float32
    assert_close(log_probabilities.exp().sum(1), torch.ones(7))


CLUSTERED_SIZE, NUM_CLUSTERED = 8, 13


def make_adaptive(cutoffs):
    torch.manual_seed(7)
    params = {"type": "adaptive_softmax", "input_size": CLUSTERED_SIZE, "num_words": NUM_CLUSTERED, "div_value": 2.0}
    return LanguageModelHead.from_params(Params({**params, "cutoffs": cutoffs})).double()


@pytest.mark.parametrize("cutoffs", [[4], [3, 7], [1, 2, 12]])
def test_adaptive_softmax_is_a_distribution_over_all_words(cutoffs):
    loss = make_adaptive(cutoffs)
    assert isinstance(loss, AdaptiveSoftmaxHead)
    inputs = torch.randn(NUM_CLUSTERED, CLUSTERED_SIZE, dtype=torch.float64)
    log_probabilities = loss.log_probabilities(inputs)
    assert log_probabilities.shape == (NUM_CLUSTERED, NUM_CLUSTERED)
    assert_close(log_probabilities.exp().sum(1), torch.ones(NUM_CLUSTERED).double())
    targets = torch.arange(NUM_CLUSTERED)
    assert_close(loss.target_log_probabilities(inputs, targets), log_probabilities.diagonal())
    assert_close(loss(inputs, targets), -log_probabilities.diagonal().mean())


def test_rare_words_are_probabilities_of_clusters_times_those_in_them():
    loss = make_adaptive([4])
    inputs = torch.randn(3, CLUSTERED_SIZE, dtype=torch.float64)
    head = loss.clusters.head(inputs).softmax(1)
    tail = loss.clusters.tail[0](inputs).softmax(1)
    assert loss.clusters.tail[0][0].out_features == CLUSTERED_SIZE // 2
    assert_close(loss.log_probabilities(inputs).exp(), torch.cat([head[:, :4], head[:, 4:] * tail], 1))


def test_adaptive_softmax_is_not_changed_by_autocast():
    loss = make_adaptive([4, 7]).float()
    inputs, targets = torch.randn(NUM_CLUSTERED, CLUSTERED_SIZE).bfloat16(), torch.arange(NUM_CLUSTERED)
    expected = loss.log_probabilities(inputs.float())
    with torch.autocast("cpu", torch.bfloat16):
        assert_close(loss.log_probabilities(inputs), expected)
        assert_close(loss.target_log_probabilities(inputs, targets), expected.diagonal())
        assert_close(loss(inputs, targets), -expected.diagonal().mean())


@pytest.mark.parametrize("cutoffs", [[], [0, 4], [4, 4], [7, 4], [13], [4, 20]])
def test_cutoffs_that_do_not_fit(cutoffs):
    with pytest.raises(ConfigurationError, match="found the cutoffs .*, expected .* below the number of words, .* 13"):
        make_adaptive(cutoffs)


NUM_NOISE, LN_Z = 4, 1.7
COUNTS = torch.tensor([50, 30, 20, 9, 8, 7, 3, 3, 2, 1, 1])


def make_nce(word_counts=COUNTS, num_noise=NUM_NOISE, **params):
    torch.manual_seed(7)
    params = {"type": "nce", "num_noise": num_noise, "ln_z": LN_Z, **params}
    sizes = {"input_size": INPUT_SIZE, "num_words": NUM_WORDS}
    loss = LanguageModelHead.from_params(Params(params), **sizes, word_counts=word_counts)
    assert isinstance(loss, NceHead)
    torch.nn.init.normal_(loss.bias)
    return loss.double()


def score(loss, x, word):
    return (x @ loss.weight[word] + loss.bias[word, 0]).item()


def log_odds_loss(loss, x, word, noise):
    """Minus equation 2.16 at one position, with the probabilities of equation 2.15."""

    def is_noise(w):
        p, p_uni = math.exp(score(loss, x, w)) / math.exp(LN_Z), int(COUNTS[w]) / int(COUNTS.sum())
        return NUM_NOISE * p_uni / (p + NUM_NOISE * p_uni)

    return -(math.log(1 - is_noise(word)) + sum(math.log(is_noise(w)) for w in noise))


def test_nce_equals_the_equations_word_by_word(inputs, monkeypatch):
    loss = make_nce()
    noise = [0, 5, 3, 0]
    monkeypatch.setattr(loss, "_draw", lambda: torch.tensor(noise))
    expected = [log_odds_loss(loss, x, word, noise) for x, word in zip(inputs, TARGETS.tolist(), strict=True)]
    assert loss(inputs, TARGETS).item() == pytest.approx(sum(expected) / len(expected), rel=1e-12)


def test_evaluation_is_normalised_over_all_words(inputs):
    loss = make_nce()
    scores = torch.tensor([[score(loss, x, word) for word in range(NUM_WORDS)] for x in inputs], dtype=torch.float64)
    expected = scores - scores.exp().sum(1, keepdim=True).log()
    assert_close(loss.log_probabilities(inputs), expected)
    found = loss.target_log_probabilities(inputs, TARGETS)
    assert_close(found, expected.gather(1, TARGETS.unsqueeze(1)).squeeze(1))


def test_noise_is_drawn_as_often_as_words_are_in_the_data():
    num_draws = 200_000
    found = torch.bincount(make_nce(num_noise=num_draws)._draw(), minlength=NUM_WORDS) / num_draws
    expected = COUNTS / COUNTS.sum()
    # Six standard deviations.
    assert (found - expected).abs().max() < 6 * (0.25 / num_draws) ** 0.5
    assert found.min() > 0


def test_words_without_a_count_count_once(inputs):
    counts = torch.tensor([50, 0, 0, *COUNTS[3:]])
    loss = make_nce(counts)
    assert loss.word_counts.tolist() == [50, 1, 1, *COUNTS[3:].tolist()]
    assert loss(inputs, torch.full_like(TARGETS, 2)).isfinite()


def test_what_it_learns_comes_near_the_distribution_of_the_data():
    """Of one history, with Z the sum that the scores are to have."""
    torch.manual_seed(5)
    loss = make_nce(num_noise=50).float()
    expected = torch.tensor([0.3, 0.2, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.04, 0.03, 0.03])
    optimizer = torch.optim.SGD(loss.parameters(), lr=0.3)
    inputs = torch.ones(300, INPUT_SIZE)
    for step in range(200):
        optimizer.param_groups[0]["lr"] = 0.3 / (1 + step / 20)
        optimizer.zero_grad()
        loss(inputs, torch.multinomial(expected, 300, replacement=True)).backward()
        optimizer.step()
    log_probabilities = loss.log_probabilities(inputs[:1])[0]
    assert_close(log_probabilities.exp(), expected, atol=0.02, rtol=0.1)
    # It has normalised itself.
    scores = (loss.weight @ inputs[0]) + loss.bias.squeeze(1)
    assert scores.logsumexp(0).item() == pytest.approx(LN_Z, abs=0.05)


def gradients(sparse, inputs):
    loss = make_nce(sparse=sparse)
    torch.manual_seed(11)
    loss(inputs, TARGETS).backward()
    assert all(parameter.grad.is_sparse == sparse for parameter in loss.parameters())
    return [parameter.grad.to_dense() for parameter in loss.parameters()]


def test_sparse_gradients_are_the_dense_ones(inputs):
    for found, expected in zip(gradients(True, inputs), gradients(False, inputs), strict=True):
        assert_close(found, expected)
        assert expected.any()


def test_counts_are_needed_in_training_and_saved(inputs):
    loss = make_nce(word_counts=None)
    assert loss.log_probabilities(inputs).isfinite().all()
    with pytest.raises(ConfigurationError, match="nce: found no counts of words, expected a vocabulary made"):
        loss(inputs, TARGETS)
    loss.load_state_dict(make_nce().state_dict())
    assert loss.word_counts.tolist() == COUNTS.tolist()
    assert loss(inputs, TARGETS).isfinite()


def test_no_noise():
    with pytest.raises(ConfigurationError, match="found the num_noise 0, expected at least 1"):
        make_nce(num_noise=0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(inputs, monkeypatch):
    loss = make_nce()
    noise = loss._draw()
    on_gpu = make_nce().cuda()
    assert on_gpu._draw().is_cuda
    monkeypatch.setattr(loss, "_draw", lambda: noise)
    monkeypatch.setattr(on_gpu, "_draw", noise.cuda)
    assert_close(on_gpu(inputs.cuda(), TARGETS.cuda()).cpu(), loss(inputs, TARGETS))

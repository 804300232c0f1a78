import math

import pytest
import torch
from helpers.processes import run_in_two_processes

from nerzoo.training.metrics.counting_metric import CorpusPerplexity, CountingMetric


class Extremes(CountingMetric):
    def count(self, counts):
        return counts

    def scores(self, counts):
        return counts.min().item(), counts.max().item()


@pytest.mark.parametrize("dtype", [torch.long, torch.float64])
def test_counts_are_summed_until_they_are_reset(dtype):
    metric = Extremes(2, 3, dtype=dtype)
    assert metric.get_metric() == (0, 0)
    metric(torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=dtype))
    metric(torch.tensor([[1, 1, 1], [1, 1, 1]], dtype=dtype))
    assert metric.get_metric() == (2, 7)
    assert metric.get_metric(reset=True) == (2, 7)
    assert metric.get_metric() == (0, 0)
    metric(torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=dtype))
    metric.reset()
    assert metric.get_metric() == (0, 0)


def test_large_counts_are_exact():
    metric = Extremes(1)
    metric(torch.tensor([2**53]))
    metric(torch.tensor([1]))
    assert metric.get_metric() == (2**53 + 1, 2**53 + 1)


# The probabilities of the words of sentences, batch by batch.
BATCHES = [[[0.5, 0.25, 0.1], [0.2]], [[0.01]], [[0.3, 0.9]]]
PROBABILITIES = [0.5, 0.25, 0.1, 0.2, 0.01, 0.3, 0.9]
PERPLEXITY = 2 ** -(sum(math.log2(probability) for probability in PROBABILITIES) / len(PROBABILITIES))


def count(metric, batch, padding=1.0):
    longest = max(map(len, batch))
    rows = [[math.log(probability) for probability in row] + [padding] * (longest - len(row)) for row in batch]
    mask = torch.arange(longest) < torch.tensor([len(row) for row in batch]).unsqueeze(1)
    metric(torch.tensor(rows), mask)


def test_all_words_weigh_the_same():
    metric = CorpusPerplexity()
    for batch in BATCHES:
        count(metric, batch)
    assert metric.get_metric() == pytest.approx(PERPLEXITY, rel=1e-6)
    assert metric.get_metric(reset=True) == pytest.approx(PERPLEXITY, rel=1e-6)
    count(metric, [[0.25]])
    assert metric.get_metric() == pytest.approx(4)


@pytest.mark.parametrize("padding", [float("-inf"), float("nan")])
def test_padding_has_no_influence(padding):
    metric = CorpusPerplexity()
    count(metric, BATCHES[0], padding)
    assert metric.get_metric() == pytest.approx((0.5 * 0.25 * 0.1 * 0.2) ** -0.25)


def test_extremes():
    metric = CorpusPerplexity()
    assert metric.get_metric() == 1.0
    metric(torch.tensor([[float("-inf"), -1.0]]), torch.tensor([[True, True]]))
    assert metric.get_metric() == math.inf


def count_on_worker(global_rank, world_size, gpu_id):
    metric = CorpusPerplexity()
    # The first worker has the longer share.
    for batch in ([BATCHES[0], BATCHES[2]], [BATCHES[1], [[]]])[global_rank]:
        count(metric, batch)
    assert metric.get_metric() == pytest.approx(PERPLEXITY, rel=1e-6)


def test_in_distributed_training():
    run_in_two_processes(count_on_worker)

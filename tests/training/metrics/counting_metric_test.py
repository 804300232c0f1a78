import pytest
import torch

from nerzoo.training.metrics.counting_metric import CountingMetric


class Extremes(CountingMetric):
    def __call__(self, counts):
        self.add(counts)

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

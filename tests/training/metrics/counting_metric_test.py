import pytest
import torch

from nerzoo.training.metrics.counting_metric import CountingMetric, precision_recall_f


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


@pytest.mark.parametrize("correct, predicted, gold", [(3, 5, 4), (4, 4, 4), (1, 7, 11)])
@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_is_the_weighted_harmonic_mean(correct, predicted, gold, beta):
    scores = precision_recall_f(correct, predicted, gold, beta=beta)
    precision, recall = correct / predicted, correct / gold
    f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    assert scores == pytest.approx({"precision": precision, "recall": recall, f"f{beta:g}": f}, rel=1e-15)


def test_a_group_may_have_other_correct_predictions_than_gold_items():
    scores = precision_recall_f(1, 4, 5, correct_of_gold=3)
    precision, recall = 1 / 4, 3 / 5
    assert scores == pytest.approx(
        {"precision": precision, "recall": recall, "f1": 2 * precision * recall / (precision + recall)}, rel=1e-15
    )
    assert precision_recall_f(0, 0, 5, correct_of_gold=3) == {"precision": 0.0, "recall": 0.6, "f1": 0.0}


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 3, 0), (0, 0, 3), (0, 2, 3)])
def test_nothing_over_nothing_is_0(counts):
    assert precision_recall_f(*counts) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_names_are_put_together():
    assert list(precision_recall_f(1, 1, 1, prefix="link_", suffix="-PER")) == [
        "link_precision-PER",
        "link_recall-PER",
        "link_f1-PER",
    ]

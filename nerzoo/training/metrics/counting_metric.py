from typing import Any, Dict, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


class CountingMetric(Metric):
    """
    Sums counts over batches and, in distributed training, over the workers in each batch, and computes a metric from
    them. A subclass calls `add` once in each `__call__`, and its `scores` computes the metric.

    # Parameters

    shape : `int`
        The shape of the counts.
    dtype : `torch.dtype`, optional (default = `torch.long`)
        `torch.float64` for sums of real numbers.
    """

    supports_distributed = True

    def __init__(self, *shape: int, dtype: torch.dtype = torch.long) -> None:
        self._empty = self._counts = torch.zeros(shape, dtype=dtype)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Counts the items of a batch, and hands the counts to `add`."""
        raise NotImplementedError

    def add(self, counts: torch.Tensor) -> None:
        """Adds the counts of a batch, which stay on their device, so that nothing waits for a GPU."""
        # Summed over workers here and not in `get_metric`, which a single worker may call.
        counts = dist_reduce_sum(counts)
        self._counts = self._counts.to(counts.device) + counts

    def scores(self, counts: torch.Tensor) -> Any:
        """Computes the metric from the sums of all counts, which are on the CPU."""
        raise NotImplementedError

    def get_metric(self, reset: bool = False) -> Any:
        """Returns the metric over all batches since the last reset."""
        scores = self.scores(self._counts.cpu())
        if reset:
            self.reset()
        return scores

    def reset(self) -> None:
        """Sets all counts to zero."""
        self._counts = self._empty


def precision_recall_f(
    correct: int,
    predicted: int,
    gold: int,
    correct_of_gold: Optional[int] = None,
    *,
    beta: float = 1,
    prefix: str = "",
    suffix: str = "",
) -> Dict[str, float]:
    """
    Computes precision P, recall R and their weighted harmonic mean F = (1 + beta^2) P R / (beta^2 P + R).

    # Parameters

    correct : `int`
        The number of predicted items that are correct.
    predicted, gold : `int`
        The number of predicted and of gold items.
    correct_of_gold : `int`, optional (default = `correct`)
        The number of gold items that are found, where items are divided into groups, and a predicted item may be in
        another group than its gold item.
    beta : `float`, optional (default = `1`)
        The weight of recall: it counts beta times as much as precision.
    prefix, suffix : `str`, optional (default = `""`)
        What stands before and after the names of the scores.

    # Returns

    `Dict[str, float]`
        "precision", "recall" and "f1" or, with another `beta`, "f0.5" and so on. 0 / 0 is 0.
    """
    precision = correct / max(predicted, 1)
    recall = (correct if correct_of_gold is None else correct_of_gold) / max(gold, 1)
    denominator = beta**2 * precision + recall
    f = (1 + beta**2) * precision * recall / denominator if denominator else 0.0
    scores = {"precision": precision, "recall": recall, f"f{beta:g}": f}
    return {f"{prefix}{name}{suffix}": score for name, score in scores.items()}

from typing import Any, Dict

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


class TagMetric(CountingMetric):
    """
    Scores predicted tags: one of the `metrics` of a `TagHead`.

    The head calls the constructor with `vocabulary`, `coding_scheme`, which is `None` for tags that stand for
    themselves, and `tag_namespace`, as far as the constructor takes them; a configuration gives the other parameters.
    A subclass is registered under this class.
    """

    def __call__(  # type: ignore[override]
        self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor
    ) -> None:
        """
        Counts the tags of a batch.

        # Parameters

        predictions : `torch.LongTensor`, (B, T)
            The indices of predicted tags.
        gold_labels : `torch.LongTensor`, (B, T)
            The indices of gold tags.
        mask : `torch.BoolTensor`, (B, T)
        """
        raise NotImplementedError

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Computes the scores, by name."""
        raise NotImplementedError

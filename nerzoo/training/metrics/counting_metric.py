"""The base classes of metrics that sum counts, and the metrics that need no more than sums."""

from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric

from nerzoo.text.matching import precision_recall_f

UNKNOWN_TYPES = "(unknown)"
"""The name of the types that a vocabulary lacks, in counts by type."""


class CountingMetric(Metric):
    """
    Sums counts over batches and, in distributed training, over the workers in each batch, and computes a metric from
    them. The `count` of a subclass counts a batch, and its `scores` computes the metric. It gives the shape of the
    counts and their type, `torch.float64` for sums of real numbers.
    """

    supports_distributed = True

    def __init__(self, *shape: int, dtype: torch.dtype = torch.long) -> None:
        self._empty = self._counts = self._last = torch.zeros(shape, dtype=dtype)

    def __call__(self, *inputs: Any, **options: Any) -> None:
        # Summed over workers here and not in `get_metric`, which a single worker may call. The sum stays on the device
        # of the counts, so that nothing waits for a GPU.
        counts = dist_reduce_sum(self.count(*inputs, **options))
        self._counts = self._counts.to(counts.device) + counts

    def count(self, *inputs: Any, **options: Any) -> torch.Tensor:
        """Counts a batch."""
        raise NotImplementedError

    def scores(self, counts: torch.Tensor) -> Any:
        """Computes the metric from the sums of all counts, which are on the CPU."""
        raise NotImplementedError

    def by_type(self, counts: torch.Tensor) -> Dict[str, List[int]]:
        """Returns the numbers of correct, predicted and gold items of each type, as far as the counts tell them."""
        return {}

    def last_by_type(self) -> Dict[str, List[int]]:
        """Returns `by_type` of the counts that the last `get_metric` with `reset` has computed the metric from."""
        return self.by_type(self._last)

    def get_metric(self, reset: bool = False) -> Any:
        """Returns the metric over all batches since the last reset."""
        counts = self._counts.cpu()
        if reset:
            self._last = counts
            self.reset()
        return self.scores(counts)

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

    def count(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Counts the tags of a batch: indices of predicted and of gold tags, and their mask, (B, T) each."""
        raise NotImplementedError

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Computes the scores, by name."""
        raise NotImplementedError


@Metric.register("tag_scores")
@TagMetric.register("tag_scores")
class TagScores(TagMetric):
    """
    Computes the accuracy of tags and, for a positive label, its precision, recall and F0.5, the measure of error
    detection, which counts precision twice as much as recall.

    # Parameters

    tag_namespace : `str`, optional (default = `"labels"`)
    positive_label : `str`, optional
        The tag whose precision, recall and F0.5 are reported. One that is not in the vocabulary raises
        `ConfigurationError`.
    """

    def __init__(
        self, vocabulary: Vocabulary, tag_namespace: str = "labels", positive_label: Optional[str] = None
    ) -> None:
        tags = vocabulary.get_token_to_index_vocabulary(tag_namespace)
        if positive_label is not None and positive_label not in tags:
            raise ConfigurationError(
                f"found positive_label {positive_label!r}, expected one of the tags: {', '.join(tags)}"
            )
        self._tags = sorted(tags, key=tags.__getitem__)
        self._positive = positive_label
        # Correct, predicted and gold tags of each name, the last two those that the vocabulary lacks, see `TagField`.
        super().__init__(3, len(tags) + 2)

    def count(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        # shape: (3, B * T): correct, predicted and gold tags
        items = torch.stack([(predictions == gold_labels) & mask, mask, mask]).flatten(1).long()
        names = torch.stack([gold_labels, predictions, gold_labels]).flatten(1)
        return items.new_zeros(self._empty.shape).scatter_add(1, names, items)

    def by_type(self, counts: torch.Tensor) -> Dict[str, List[int]]:
        known = dict(zip(self._tags, counts[:, :-2].t().tolist(), strict=True))
        return {**known, UNKNOWN_TYPES: counts[:, -2:].sum(1).tolist()}

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Returns "accuracy" and, with `positive_label`, "precision", "recall" and "f0.5"."""
        num_correct, num_tags, _ = counts.sum(1).tolist()
        metrics = {"accuracy": num_correct / max(num_tags, 1)}
        if self._positive is not None:
            metrics |= precision_recall_f(*self.by_type(counts)[self._positive], beta=0.5)
        return metrics


@Metric.register("corpus_perplexity")
class CorpusPerplexity(CountingMetric):
    """
    Computes the perplexity of a text, exp(-1/n sum_i ln p(w_i)) over its n words (equation 2.14 of Xu, 2017, which is
    the same with base 2). Each word has the same weight, whatever batch it is in; AllenNLP's `perplexity` averages
    batches.
    """

    def __init__(self) -> None:
        # The sum of the logarithms and the number of words.
        super().__init__(2, dtype=torch.float64)

    def count(self, log_probabilities: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Counts the words of a batch, given the natural logarithms of their probabilities and their mask, (B, T)."""
        total = log_probabilities.detach().masked_fill(~mask, 0).sum(dtype=torch.float64)
        return torch.stack([total, mask.sum(dtype=torch.float64)])

    def scores(self, counts: torch.Tensor) -> float:
        """Returns the perplexity: infinite if a word is impossible, and 1 if there is no word."""
        total, count = counts
        return torch.exp(-total / count.clamp(min=1)).item()

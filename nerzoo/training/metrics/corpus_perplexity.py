import torch
from allennlp.training.metrics import Metric

from nerzoo.training.metrics.counting_metric import CountingMetric


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

    def __call__(  # type: ignore[override]
        self, log_probabilities: torch.Tensor, mask: torch.BoolTensor
    ) -> None:
        """
        # Parameters

        log_probabilities : `torch.Tensor`, (B, T)
            The natural logarithm of the probability of each word.
        mask : `torch.BoolTensor`, (B, T)
        """
        total = log_probabilities.detach().masked_fill(~mask, 0).sum(dtype=torch.float64)
        self.add(torch.stack([total, mask.sum(dtype=torch.float64)]))

    def scores(self, counts: torch.Tensor) -> float:
        """Returns the perplexity: infinite if a word is impossible, and 1 if there is no word."""
        total, count = counts
        return torch.exp(-total / count.clamp(min=1)).item()

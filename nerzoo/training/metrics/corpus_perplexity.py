import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


@Metric.register("corpus_perplexity")
class CorpusPerplexity(Metric):
    """
    The perplexity of a text, exp(-1/n sum_i ln p(w_i)) over its n words (equation 2.14 of Xu, 2017, which is the same
    with base 2). Each word has the same weight, whatever batch it is in; AllenNLP's `perplexity` averages batches.

    In distributed training the sums of each batch are added up over the workers.
    """

    supports_distributed = True

    def __init__(self) -> None:
        self.reset()

    def __call__(self, log_probabilities: torch.Tensor, mask: torch.BoolTensor) -> None:
        """
        # Parameters

        log_probabilities : `torch.Tensor`, (B, T)
            Of each word, natural logarithms.
        mask : `torch.BoolTensor`, (B, T)
        """
        log_probabilities, mask = self.detach_tensors(log_probabilities, mask)
        total = log_probabilities.masked_fill(~mask, 0).sum(dtype=torch.float64)
        # Summed here and not in `get_metric`, which a single worker may call.
        sums = dist_reduce_sum(torch.stack([total, mask.sum(dtype=torch.float64)]))
        self._sums = self._sums.to(sums.device) + sums

    def get_metric(self, reset: bool = False) -> float:
        """The perplexity: infinite if a word is impossible, and 1 if there is none."""
        total, count = self._sums
        if reset:
            self.reset()
        return torch.exp(-total / count.clamp(min=1)).item()

    def reset(self) -> None:
        # The sum of the logarithms and the number of words.
        self._sums = torch.zeros(2, dtype=torch.float64)
